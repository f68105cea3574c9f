#include "include/broken.h"
