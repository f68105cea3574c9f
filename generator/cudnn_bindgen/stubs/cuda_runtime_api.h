/* The names that cuDNN's headers use of CUDA's runtime. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "driver_types.h"
#include "library_types.h"
