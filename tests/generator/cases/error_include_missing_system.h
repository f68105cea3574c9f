#include <curand.h>
