/* <stdio.h>: types only */
#pragma once
#include <stddef.h>
typedef struct _IO_FILE FILE;
