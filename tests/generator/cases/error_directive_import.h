#import "empty.h"
