/* <assert.h> */
#pragma once
#define static_assert _Static_assert
