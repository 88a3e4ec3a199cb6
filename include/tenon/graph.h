/* tenon/graph.h: work recorded once and launched many times, at the cost of one call.
 *
 *   tenon_graph_create(device, &graph);
 *   tenon_graph_begin(graph, &recording);
 *   tenon_gemm(NULL, a, b, NULL, NULL, recording, &c);     a node: nothing runs yet
 *   tenon_graph_end(graph);
 *   tenon_graph_launch(graph, NULL);                       as often as wanted
 *
 * A graph is recorded from its own stream: a call on that stream does not run but becomes a node. The following can be
 * recorded: launches of kernels, generated kernels (generated.h), operations of packages (plugin.h) without host code,
 * host functions (tenon_stream_call_host), and every function that only enqueues work: copies, fills and conversions on
 * the graph's device, products, BLAS, transforms. A call that would have to run immediately is refused with an error
 * and leaves the graph unchanged: transfers with host memory, linear algebra that waits for its result (tenon_svd ...),
 * timed launches, events, waiting for or querying the stream, its native handle, copies between devices. Calls on other
 * streams run as usual while a graph is recorded.
 *
 * One call is one node, however much work it takes on a device: nodes are numbered from 0 in the order of the calls,
 * and the same program has the same nodes on every device. A call that has nothing to do (a copy of no elements) makes
 * no node, unless its arguments can be replaced. The number of a call's node is the result of tenon_graph_node_count
 * just before the call, and of tenon_graph_last_node just after it; if the call made no node, the latter is an earlier
 * call's node.
 *
 * Nodes run in the order in which they were recorded. The graph keeps their arrays' memory alive, and records what they
 * read and write: a launch of the graph is ordered after earlier uses of that memory, as a launch of a kernel is, and
 * later uses wait for it. Memory that the recorded work needs internally (work areas, packed operands, arrays made on
 * the recording stream) belongs to the graph; therefore two launches of one graph never run at the same time. An array
 * made on the recording stream has no contents until the first launch: reading it earlier is INVALID_ARGUMENT. On CUDA
 * tenon_graph_end makes the nodes a CUDA graph, which Tenon captures on an internal stream; on the CPU device they run
 * one after another.
 *
 * Work can also be recorded by another library's capture (torch.cuda.graph) of a wrapped stream: see stream.h.
 *
 *     tenon_stream* stream;
 *     tenon_graph_begin(graph, &stream);
 *     tenon_kernel_launch(kernel, &launch, args, 3, stream);
 *     tenon_graph_last_node(stream, &node);
 *     tenon_graph_end(graph);
 *     tenon_graph_set(graph, node, 1, &factor);
 *     tenon_graph_launch(graph, NULL);
 */
#ifndef TENON_GRAPH_H
#define TENON_GRAPH_H

#include <tenon/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tenon_graph tenon_graph;

#define TENON_GRAPH_KERNEL 1    /* tenon_kernel_launch, tenon_call_launch of a kernel: arguments and geometry can be
                                   replaced */
#define TENON_GRAPH_GENERATED 2 /* a call of generated.h: arguments can be replaced */
#define TENON_GRAPH_OPERATION 3 /* tenon_operation_call, tenon_call_launch of an operation: arguments can be replaced */
#define TENON_GRAPH_LIBRARY 4   /* any other function */

typedef struct tenon_graph_node_info {
  uint32_t struct_size;
  TENON_ENUM(GRAPH) int32_t kind;
  TENON_BORROWED(library) const char* name TENON_TEXT; /* name of the kernel, of the generated kernel (from its
                                                          options), of the operation ("image/blur"), or of the function
                                                          without its prefix ("gemm", "array_copy"). Valid for the life
                                                          of the process */
  int32_t parameter_count; /* arguments that can be replaced; 0 for TENON_GRAPH_LIBRARY */
  int32_t reserved;
} tenon_graph_node_info;

/* Makes an empty graph for the device. */
TENON_API int32_t tenon_graph_create(tenon_device* device, TENON_OUT TENON_OWNED tenon_graph** out_graph);
/* Starts recording into an empty graph and returns the stream that records. Only the thread that calls this may use
 * that stream until tenon_graph_end (INVALID_ARGUMENT on another thread); after that every use of it is INVALID_HANDLE.
 * INVALID_ARGUMENT: the graph is being recorded, or has nodes (tenon_graph_clear removes them). A call that fails while
 * recording adds nothing, and recording continues. */
TENON_API int32_t tenon_graph_begin(tenon_graph* graph, TENON_OUT TENON_OWNED tenon_stream** out_stream);
/* Ends recording and makes the graph ready to launch. After a failure (OUT_OF_MEMORY, MISSING_LIBRARY, VENDOR ...) the
 * graph is empty. INVALID_ARGUMENT: the graph is not being recorded, or another thread is recording it; then nothing
 * changes. */
TENON_API int32_t tenon_graph_end(tenon_graph* graph);
/* Removes all nodes, including those of a recording in progress, and frees their memory after its last use. */
TENON_API int32_t tenon_graph_clear(tenon_graph* graph);
/* Enqueues all nodes on the stream, in their order, after earlier uses of their memory. Allocates nothing. A graph
 * without nodes does nothing. One graph may not be launched or changed from two threads at the same time. UNSUPPORTED:
 * the stream is recording a graph. INVALID_ARGUMENT: nothing was recorded yet. KERNEL_FAULT: as for
 * tenon_kernel_launch. */
TENON_API int32_t tenon_graph_launch(tenon_graph* graph, TENON_NULLABLE tenon_stream* stream);
/* Replaces one argument of node `node` for later launches of the graph, with the checks of the call that was recorded.
 * Launches in progress keep the old one. For a launch of a kernel this takes about a microsecond; other calls are
 * recorded again, which may result in different work (for example a kernel for another layout); the next launch of the
 * graph then rebuilds it. INVALID_ARGUMENT: no such node or argument, the node is TENON_GRAPH_LIBRARY, or the graph is
 * being recorded. It also returns what the call itself would return, such as SHAPE if the new array does not fit the
 * others: then replace all arguments at once (tenon_graph_set_args). The graph is unchanged after a failure. DTYPE: not
 * that of the parameter. */
TENON_API int32_t tenon_graph_set(tenon_graph* graph, int32_t node, int32_t index, const tenon_arg* arg);
/* Replaces all arguments of node `node` at once, checked as by tenon_graph_set: for arrays of another shape. DTYPE: an
 * argument has the wrong dtype, as for the recorded call. */
TENON_API int32_t tenon_graph_set_args(tenon_graph* graph, int32_t node,
                                       TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args, int32_t count);
/* Replaces the geometry of node `node`, a launch of a kernel, with the checks of a launch. INVALID_ARGUMENT: a node of
 * another kind, whose geometry follows from its arguments. */
TENON_API int32_t tenon_graph_set_launch(tenon_graph* graph, int32_t node, const tenon_launch* launch);
/* Number of nodes, also while the graph is recorded: the node of the next call gets this number. */
TENON_API int32_t tenon_graph_node_count(const tenon_graph* graph, TENON_OUT int32_t* out_count);
/* The number of the last node recorded on a stream that records a graph, for code that has only the stream. NOT_FOUND:
 * the stream does not record a graph, or has recorded nothing yet. */
TENON_API int32_t tenon_graph_last_node(const tenon_stream* stream, TENON_OUT int32_t* out_node);
/* The properties of node `node`, also while the graph is recorded. INVALID_ARGUMENT: no such node. The info's
 * struct_size must be set by the caller. */
TENON_API int32_t tenon_graph_get_node_info(const tenon_graph* graph, int32_t node,
                                            TENON_OUT tenon_graph_node_info* out_info);
/* Parameter `index` of the kernel that node `node` launches, as tenon_kernel_get_parameter_info returns it. For a
 * generated kernel or an operation: the kind of the current argument, an array (TENON_PARAMETER_POINTER, with its
 * dtype), a number or a struct. INVALID_ARGUMENT: no such node or parameter, or the node is TENON_GRAPH_LIBRARY. The
 * info's struct_size must be set by the caller. */
TENON_API int32_t tenon_graph_get_parameter_info(const tenon_graph* graph, int32_t node, int32_t index,
                                                 TENON_OUT tenon_parameter_info* out_info);
/* The device of the graph, as a new reference. */
TENON_API int32_t tenon_graph_device(const tenon_graph* graph, TENON_OUT TENON_OWNED tenon_device** out_device);
/* Adds one reference. */
TENON_API int32_t tenon_graph_retain(const tenon_graph* graph);
/* Releases one reference. A recording in progress is dropped; launches in progress continue. */
TENON_API void tenon_graph_release(TENON_NULLABLE tenon_graph* graph);

#ifdef __cplusplus
}
#endif
#endif
