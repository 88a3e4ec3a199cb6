// <stddef.h> for NVRTC.
#pragma once
typedef decltype(nullptr) tenon_nullptr_t;
#ifndef NULL
#define NULL 0
#endif
#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
typedef long ptrdiff_t;
