/* tenon/graph.h: work recorded once and launched many times, at the price of one call.
 *
 * A graph is recorded from a stream of its own: what is put on that stream is not run but becomes a node. Recordable are kernel
 * launches (tenon_kernel_launch, tenon_call_launch), generated kernels (generated.h), tenon_array_copy, _fill, _convert and _zeros on
 * the graph's device, tenon_gemm, the functions of blas.h and tenon_fft. Refused with a sentence, and without a trace in the graph, is what would have to
 * run now: transfers with host memory, tenon_svd, timed launches, events, waiting for or asking about the stream, its native
 * handle, copies between devices. Calls on other streams run as always, also while a graph is recorded.
 *
 * Nodes run in the order in which they were recorded. The graph keeps their arrays' memory alive, and knows what they read and
 * write: a launch of the graph first puts its stream behind the other users of that memory, as a launch of a kernel does, and
 * later users wait for it. Memory that recorded work needs for itself (work areas, packed operands, arrays made on the recording
 * stream) belongs to the graph: two launches of one graph never run at the same time. On CUDA the nodes become a CUDA graph in
 * tenon_graph_end, captured by Tenon on a stream that nobody else sees; on the CPU device they are run one after the other.
 *
 * Work can also be recorded by somebody else's capture (torch.cuda.graph) on a wrapped stream. Launches, copies and fills then
 * become part of that graph. Nothing is waited for or allocated there: who captures orders the replay behind other users
 * of the arrays and keeps them alive, kernels have been loaded before (by a launch, or tenon_kernel_get_info), and what needs a work
 * area (tenon_gemm, tenon_fft, blas.h) is UNSUPPORTED.
 */
#ifndef TENON_GRAPH_H
#define TENON_GRAPH_H

#include <tenon/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_graph tenon_graph;

#define TENON_GRAPH_KERNEL 1
#define TENON_GRAPH_COPY 2
#define TENON_GRAPH_FILL 3
#define TENON_GRAPH_GEMM 4
#define TENON_GRAPH_FFT 5
#define TENON_GRAPH_BLAS 6

typedef struct tenon_graph_node_info {
  uint32_t struct_size;
  TENON_ENUM(GRAPH) int32_t kind;            /* TENON_GRAPH_* */
  TENON_BORROWED(graph) const char* name TENON_TEXT; /* of the kernel; "copy", "fill", "gemm", "fft", "blas".
                                                        Borrowed */
  int32_t parameter_count; /* arguments that tenon_graph_set can replace: of a kernel launch; else 0 */
  int32_t reserved;
} tenon_graph_node_info;

/* An empty graph of the device. */
TENON_API int32_t tenon_graph_create(tenon_device* device, TENON_OUT TENON_OWNED tenon_graph** out_graph);
/* Starts recording into an empty graph and gives the stream that records. Only the thread that calls this may use that stream
 * until tenon_graph_end (INVALID_ARGUMENT on another thread); after that it is INVALID_HANDLE wherever it is used.
 * INVALID_ARGUMENT: the graph is being recorded, or holds nodes (tenon_graph_clear empties it). A call that fails while recording
 * adds nothing, and recording goes on. */
TENON_API int32_t tenon_graph_begin(tenon_graph* graph, TENON_OUT TENON_OWNED tenon_stream** out_stream);
/* Ends recording and makes the graph ready to be launched. A failure (OUT_OF_MEMORY, MISSING_LIBRARY, VENDOR ...) leaves it empty.
 * INVALID_ARGUMENT: it is not being recorded, or by another thread; then nothing changes. */
TENON_API int32_t tenon_graph_end(tenon_graph* graph);
/* Forgets all nodes, also those of a recording that is under way, and gives their memory back after its last use. */
TENON_API int32_t tenon_graph_clear(tenon_graph* graph);
/* Puts all nodes on the stream, in their order, behind the other users of their memory. Allocates nothing. A graph of no nodes does
 * nothing. One graph may not be launched or changed from two threads at once. UNSUPPORTED: the stream is recording a graph.
 * INVALID_ARGUMENT: nothing was recorded yet. Faults are returned as by tenon_kernel_launch. */
TENON_API int32_t tenon_graph_launch(tenon_graph* graph, TENON_NULLABLE tenon_stream* stream);
/* Replaces argument `index` of the kernel launch `node` for later launches of the graph, with the checks of tenon_call_set. Replays
 * that are under way keep the old one. INVALID_ARGUMENT: no such node or argument, or the node is no launch of a kernel of the
 * user's; the graph is unchanged. */
TENON_API int32_t tenon_graph_set(tenon_graph* graph, int32_t node, int32_t index, const tenon_arg* arg);
/* Number of nodes of a graph whose recording has ended; 0 before. */
TENON_API int32_t tenon_graph_node_count(const tenon_graph* graph, TENON_OUT int32_t* out_count);
/* What node `node` is, counted from 0 in the order of recording. The info's struct_size must be set by the caller. */
TENON_API int32_t tenon_graph_node(const tenon_graph* graph, int32_t node, TENON_OUT tenon_graph_node_info* out_info);
/* Parameter `index` of the kernel that node `node` launches, as tenon_kernel_parameter gives it. INVALID_ARGUMENT: no such node or
 * parameter, or the node is no launch of a kernel of the user's. The info's struct_size must be set by the caller. */
TENON_API int32_t tenon_graph_parameter(const tenon_graph* graph, int32_t node, int32_t index, TENON_OUT tenon_parameter_info* out_info);
/* The device of the graph, as a new reference. */
TENON_API int32_t tenon_graph_device(const tenon_graph* graph, TENON_OUT TENON_OWNED tenon_device** out_device);
/* Takes one more reference. */
TENON_API int32_t tenon_graph_retain(tenon_graph* graph);
/* Gives one reference back. A recording that is under way is dropped; replays under way go on. */
TENON_API void tenon_graph_release(TENON_NULLABLE tenon_graph* graph);

#ifdef __cplusplus
}
#endif
#endif
