/* The names that cuDNN's headers use of CUDA's library types. */
#pragma once
#define __LIBRARY_TYPES_H__
typedef enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL } libraryPropertyType;
