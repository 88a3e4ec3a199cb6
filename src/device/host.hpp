// device/host.hpp: the definitions that the host's compiler needs for this folder's sources; include it before them.
#pragma once
#include <cstring>
#include "device/work.hpp"

#define TENON_DEVICE static inline
#define TENON_MEMBER static inline
#define TENON_METHOD inline
#define TENON_SQRT __builtin_sqrt
#define TENON_SQRTF __builtin_sqrtf
