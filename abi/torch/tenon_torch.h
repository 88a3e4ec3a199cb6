/* tenon_torch.h: kernels of PyTorch's dispatcher that run operations of Tenon's packages, and PyTorch's caching
 * allocator for Tenon, without Python.
 *
 *   tenon_operation* relu = NULL;
 *   tenon_torch_kernel* kernel = NULL;
 *   tenon_operation_find(NULL, "elementwise/relu", NULL, &relu);
 *   tenon_torch_register(tenon_get_api(TENON_ABI_LEVEL), relu, "elementwise::relu(Tensor x) -> Tensor", 1, &kernel);
 *
 * The library uses the C functions of LibTorch's stable interface that PyTorch 2.9 has, so that one build serves 2.9
 * and later. It links neither LibTorch nor libtenon: it finds the functions in the LibTorch that the process has
 * loaded, and takes Tenon's from the table that it is given. The Python package uses it in tenon.torch.register.
 *
 * The kernels serve the dispatch keys "CPU" and "CUDA". Lists of numbers and choices need PyTorch 2.10. Writes of
 * tensors are counted by two functions of LibTorch in C++, if it has them. An operation of a schema that cannot be
 * carried (Scalar, complex numbers) is refused with UNSUPPORTED.
 */
#ifndef TENON_TORCH_H
#define TENON_TORCH_H

#include <tenon/api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_torch_kernel tenon_torch_kernel;

/* Registers a kernel for the operation, for tensors on the CPU and on CUDA devices. api: the table of the loaded
 * libtenon; it must be the same one at each call. schema: "PACKAGE::OPERATION(...) -> ...", with the names of the
 * contract; tenon.torch.register makes it in Python, where it can be read as
 * str(torch.ops.PACKAGE.OPERATION.default._schema). define: 1 also defines the schema in the dispatcher, for a program
 * without Python; 0: it is defined already. The operation is retained for the life of the process, because calls may be
 * under way when the kernel is released.
 *
 * The kernel reads its tensors in place and makes contiguous results with PyTorch's allocator. On the CPU it is
 * complete on return; on a CUDA device it is enqueued on PyTorch's current stream there, also while a graph is
 * captured. All tensors of a call are on one device. A failing call throws c10::Error (in Python: RuntimeError) with
 * the operation's name and Tenon's whole message. It can be called from several threads.
 *
 * Returns a status of Tenon; tenon_torch_message has the text. INVALID_ARGUMENT: NULL, or a schema that does not fit
 * the operation; UNSUPPORTED: see above; MISSING_LIBRARY: the process has loaded no LibTorch of 2.9 or later;
 * OUT_OF_MEMORY: 1024 kernels have been registered, or the memory is exhausted; VENDOR: the dispatcher refuses the
 * schema or the kernel. */
__attribute__((visibility("default"))) int32_t tenon_torch_register(const tenon_api* api, tenon_operation* operation,
                                                                    const char* schema, int32_t define,
                                                                    tenon_torch_kernel** out_kernel);
/* Removes the kernel, and its schema if it was defined here, from the dispatcher; NULL does nothing. A call that runs
 * on another thread at that time ends as usual. */
__attribute__((visibility("default"))) void tenon_torch_release(tenon_torch_kernel* kernel);
/* Fills *out_allocator, whose struct_size must be set, with PyTorch's caching allocator of CUDA memory: for
 * tenon_device_use_allocator, or the options of a context. It serves all CUDA devices, in the order of their streams,
 * and has nothing to destroy. PyTorch must have initialised CUDA before the first allocation
 * (at::globalContext().lazyInitDevice, torch.cuda.init()). INVALID_ARGUMENT: out_allocator is NULL, or its struct_size
 * is not set. MISSING_LIBRARY: the process has loaded no LibTorch of 2.9 or later with CUDA. */
__attribute__((visibility("default"))) int32_t tenon_torch_allocator(tenon_allocator* out_allocator);
/* The text of this thread's last failure; valid until its next one. */
__attribute__((visibility("default"))) const char* tenon_torch_message(void);

#ifdef __cplusplus
}
#endif
#endif
