/* CUDA driver: the names that cuDNN's headers use */
#pragma once
#include "driver_types.h"
