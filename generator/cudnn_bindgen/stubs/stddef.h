/* What cuDNN-like headers use of <stddef.h> on 64-bit Linux. */
#pragma once
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int wchar_t;
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
