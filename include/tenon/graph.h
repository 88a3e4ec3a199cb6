/* tenon/graph.h: work recorded once and launched many times, at the cost of one call.
 *
 *   tenon_graph_create(device, &graph);
 *   tenon_graph_begin(graph, &recording);
 *   tenon_gemm(NULL, a, b, NULL, NULL, recording, &c);     a node: nothing runs yet
 *   tenon_graph_end(graph);
 *   tenon_graph_launch(graph, NULL);                       as often as wanted
 *
 * A graph is recorded from a stream of its own: what is put on that stream is not run but becomes a node. Recordable
 * are launches of kernels, generated kernels (generated.h), operations of packages (plugin.h) but for those with host
 * code, functions for the host (tenon_stream_call_host), and every function that only enqueues work: copies, fills and
 * conversions on the graph's device, products, BLAS, transforms. What would have to run now is refused with a sentence
 * and leaves no trace in the graph: transfers with host memory, linear algebra that waits for its result (tenon_svd
 * ...), timed launches, events, waiting for or asking about the stream, its native handle, copies between devices.
 * Calls on other streams run as always, also while a graph is recorded.
 *
 * One call is one node, however much work it takes on a device: nodes are counted from 0 in the order of the calls, and
 * the same program has the same nodes everywhere. A call that has nothing to do (a copy of no elements) makes no node,
 * unless its arguments can be replaced. A call's node has the number that tenon_graph_node_count gives just before the
 * call, and tenon_graph_last_node just after it; where the call made no node, that is an earlier call's.
 *
 * Nodes run in the order in which they were recorded. The graph keeps their arrays' memory alive, and knows what they
 * read and write: a launch of the graph first puts its stream behind the other users of that memory, as a launch of a
 * kernel does, and later users wait for it. Memory that recorded work needs for itself (work areas, packed operands,
 * arrays made on the recording stream) belongs to the graph: two launches of one graph never run at the same time. On
 * CUDA the nodes become a CUDA graph in tenon_graph_end, captured by Tenon on a stream that nobody else sees; on the
 * CPU device they are run one after the other.
 *
 * Work can also be recorded by somebody else's capture (torch.cuda.graph) on a wrapped stream: see stream.h.
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
  TENON_BORROWED(library) const char* name TENON_TEXT; /* of the kernel, of the generated kernel (its options), of the
                                                          operation ("image/blur"), or of the function without its
                                                          prefix ("gemm", "array_copy").
                                                          Valid for the life of the process */
  int32_t parameter_count; /* arguments that can be replaced; 0 for TENON_GRAPH_LIBRARY */
  int32_t reserved;
} tenon_graph_node_info;

/* An empty graph of the device. */
TENON_API int32_t tenon_graph_create(tenon_device* device, TENON_OUT TENON_OWNED tenon_graph** out_graph);
/* Starts recording into an empty graph and gives the stream that records. Only the thread that calls this may use that
 * stream until tenon_graph_end (INVALID_ARGUMENT on another thread); after that it is INVALID_HANDLE wherever it is
 * used. INVALID_ARGUMENT: the graph is being recorded, or holds nodes (tenon_graph_clear empties it). A call that fails
 * while recording adds nothing, and recording goes on. */
TENON_API int32_t tenon_graph_begin(tenon_graph* graph, TENON_OUT TENON_OWNED tenon_stream** out_stream);
/* Ends recording and makes the graph ready to be launched. A failure (OUT_OF_MEMORY, MISSING_LIBRARY, VENDOR ...)
 * leaves it empty. INVALID_ARGUMENT: it is not being recorded, or by another thread; then nothing changes. */
TENON_API int32_t tenon_graph_end(tenon_graph* graph);
/* Forgets all nodes, also those of a recording that is under way, and gives their memory back after its last use. */
TENON_API int32_t tenon_graph_clear(tenon_graph* graph);
/* Puts all nodes on the stream, in their order, behind the other users of their memory. Allocates nothing. A graph of
 * no nodes does nothing. One graph may not be launched or changed from two threads at once. UNSUPPORTED: the stream is
 * recording a graph. INVALID_ARGUMENT: nothing was recorded yet. KERNEL_FAULT: as of tenon_kernel_launch. */
TENON_API int32_t tenon_graph_launch(tenon_graph* graph, TENON_NULLABLE tenon_stream* stream);
/* Replaces one argument of node `node` for later launches of the graph, with the checks of the call that was recorded.
 * Replays that are under way keep the old one. For a launch of a kernel this costs about a microsecond; other calls
 * are recorded again, and may then be other work (a kernel for another layout, say), which the next launch of the
 * graph puts together anew. INVALID_ARGUMENT: no such node or argument, the node is TENON_GRAPH_LIBRARY, or the graph
 * is being recorded. What the call itself would return, such as SHAPE where the new array does not go with the others:
 * replace all of them then. The graph is unchanged after a failure. DTYPE: not that of the parameter. */
TENON_API int32_t tenon_graph_set(tenon_graph* graph, int32_t node, int32_t index, const tenon_arg* arg);
/* Replaces all arguments of node `node` at once, as tenon_graph_set does one: for arrays of another shape. DTYPE: of
 * an argument, as in the call that was recorded. */
TENON_API int32_t tenon_graph_set_args(tenon_graph* graph, int32_t node,
                                       TENON_NULLABLE TENON_LENGTH(count) const tenon_arg* args, int32_t count);
/* Replaces the geometry of node `node`, a launch of a kernel, with the checks of a launch. INVALID_ARGUMENT: another
 * kind of node, whose geometry follows from its arguments. */
TENON_API int32_t tenon_graph_set_launch(tenon_graph* graph, int32_t node, const tenon_launch* launch);
/* Number of nodes, also while the graph is recorded: the next call's node then has this number. */
TENON_API int32_t tenon_graph_node_count(const tenon_graph* graph, TENON_OUT int32_t* out_count);
/* The node that was put last on a stream that records a graph, for those who have only the stream. NOT_FOUND: the
 * stream records no graph, or nothing yet. */
TENON_API int32_t tenon_graph_last_node(const tenon_stream* stream, TENON_OUT int32_t* out_node);
/* What node `node` is, also while the graph is recorded. INVALID_ARGUMENT: no such node. The info's struct_size must be
 * set by the caller. */
TENON_API int32_t tenon_graph_get_node_info(const tenon_graph* graph, int32_t node,
                                            TENON_OUT tenon_graph_node_info* out_info);
/* Parameter `index` of the kernel that node `node` launches, as tenon_kernel_get_parameter_info gives it. Of a
 * generated kernel or an operation: what the present argument is, an array (TENON_PARAMETER_POINTER, with its dtype), a
 * number or a struct. INVALID_ARGUMENT: no such node or parameter, or the node is TENON_GRAPH_LIBRARY. The info's
 * struct_size must be set by the caller. */
TENON_API int32_t tenon_graph_get_parameter_info(const tenon_graph* graph, int32_t node, int32_t index,
                                                 TENON_OUT tenon_parameter_info* out_info);
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
