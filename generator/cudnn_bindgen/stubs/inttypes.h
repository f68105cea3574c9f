/* <inttypes.h>: types only */
#pragma once
#include <stdint.h>
