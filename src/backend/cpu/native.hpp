// backend/cpu/native.hpp: the device's own code for core/native.hpp.
#pragma once
#include <cmath>
#include <cstring>
#include "core/native.hpp"

// The texts of src/device as the host's compiler takes them.
#define TENON_DEVICE static inline
#define TENON_MEMBER static inline
#define TENON_METHOD inline
#define TENON_SQRT __builtin_sqrt
#define TENON_SQRTF __builtin_sqrtf

namespace tenon::cpu {

// native_random.cpp, which is compiled once for each instruction set: it includes nothing of which the linker could keep one copy.
// Fills groups [first, first + groups) of a draw (random.cuh); dtype: TENON_*. Returns the elements of a group, 0: no such draw.
using RandomGroups = int (*)(int kind, uint32_t dtype, const void* work, long long first, long long groups);
int random_groups_base(int kind, uint32_t dtype, const void* work, long long first, long long groups);
int random_groups_v3(int kind, uint32_t dtype, const void* work, long long first, long long groups);
int random_groups_v4(int kind, uint32_t dtype, const void* work, long long first, long long groups);

}  // namespace tenon::cpu
