// shim/standard/stddef.h: sizes, offsets, NULL.
#pragma once
#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
typedef decltype(nullptr) nullptr_t;
