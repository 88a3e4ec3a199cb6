// shim/random/curand_mtgp32_kernel.h: cuRAND's Mersenne twister.
#pragma once
#include "curand_kernel.h"
