#pragma once
#include "nested.h"
typedef nested_t other_t;
