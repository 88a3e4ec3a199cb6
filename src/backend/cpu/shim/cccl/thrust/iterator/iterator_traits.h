// shim/cccl/thrust/iterator/iterator_traits.h: Thrust's traits are those of namespace std (see <iterator>).
#pragma once
#include <cuda/std/__cccl/compiler.h>
#include <iterator>
#include <tenon_itself.h>
#include_next <thrust/iterator/iterator_traits.h>
#include <tenon_nvrtc.h>
