/* <string.h>: types only */
#pragma once
#include <stddef.h>
