/* tenon/tenon.h: everything. Read in this order: abi.h, status.h, context.h, array.h, kernel.h; then what you need. */
#ifndef TENON_TENON_H
#define TENON_TENON_H

#include <tenon/abi.h>
#include <tenon/status.h>
#include <tenon/handle.h>
#include <tenon/dtype.h>
#include <tenon/context.h>
#include <tenon/stream.h>
#include <tenon/argument.h>
#include <tenon/array.h>
#include <tenon/dlpack.h>
#include <tenon/kernel.h>
#include <tenon/program.h>
#include <tenon/texture.h>
#include <tenon/random.h>
#include <tenon/moving.h>
#include <tenon/select.h>
#include <tenon/cache.h>
#include <tenon/generated.h>
#include <tenon/graph.h>
#include <tenon/functions.h>
#include <tenon/compute.h>
#include <tenon/linalg.h>
#include <tenon/blas.h>
#include <tenon/solve.h>
#include <tenon/eigen.h>
#include <tenon/fft.h>
#include <tenon/signal.h>
#include <tenon/sparse.h>
#include <tenon/plugin.h>
#include <tenon/api.h>

#endif
