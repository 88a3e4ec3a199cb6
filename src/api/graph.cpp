// api/graph.cpp: recorded work.
#include "api/arguments.hpp"

using namespace tenon;
using namespace tenon::api;

int32_t tenon_graph_create(tenon_device* device, tenon_graph** out_graph) {
  return guard([&] {
    Out out(out_graph, "out_graph");
    out.set(Graph::create(get(device, "device").device));
  });
}
int32_t tenon_graph_device(const tenon_graph* graph, tenon_device** out_device) {
  return give_device(out_device, [&]() -> Device& { return get(graph, "graph").device(); });
}
int32_t tenon_graph_begin(tenon_graph* graph, tenon_stream** out_stream) {
  return guard([&] {
    Out out(out_stream, "out_stream");
    Graph& self = get(graph, "graph");
    try {
      give_stream(out, self.begin());
    } catch (const std::bad_alloc&) {
      self.clear();
      throw;
    }
  });
}
int32_t tenon_graph_end(tenon_graph* graph) {
  return guard([&] { get(graph, "graph").end(); });
}
int32_t tenon_graph_clear(tenon_graph* graph) {
  return guard([&] {
    Graph& self = get(graph, "graph");
    self.require_idle();
    self.clear();
  });
}
int32_t tenon_graph_launch(tenon_graph* graph, tenon_stream* stream) {
  return guard([&] {
    Graph& self = get(graph, "graph");
    if (const int32_t status = lost(self.device())) return status;
    const Ref<Graph> kept(&self);  // even if a function that it calls releases it
    self.open();
    self.launch(stream_or_default(get_or_null(stream, "stream"), self.device()));
    return TENON_OK;
  });
}
int32_t tenon_graph_set(tenon_graph* graph, int32_t node, int32_t index, const tenon_arg* arg) {
  return guard([&] {
    Graph& self = get(graph, "graph");
    self.set(node, index, *CallArguments(&need(arg, "arg"), 1, 1).data());
  });
}
int32_t tenon_graph_set_args(tenon_graph* graph, int32_t node, const tenon_arg* args, int32_t count) {
  return guard([&] {
    Graph& self = get(graph, "graph");
    const CallArguments given(args, count, self.replaceable(node));
    self.set_all(node, given.data(), given.count());
  });
}
int32_t tenon_graph_set_launch(tenon_graph* graph, int32_t node, const tenon_launch* launch) {
  return guard([&] {
    Graph& self = get(graph, "graph");
    need(launch, "launch");
    self.set_launch(node, geometry_from(launch));
  });
}
int32_t tenon_graph_node_count(const tenon_graph* graph, int32_t* out_count) {
  return guard([&] {
    const Graph& self = get(graph, "graph");
    need(out_count, "out_count") = self.node_count();
  });
}
int32_t tenon_graph_last_node(const tenon_stream* stream, int32_t* out_node) {
  return guard([&] {
    const Stream& self = get(stream, "stream");
    need(out_node, "out_node");
    TENON_REQUIRE(self.recording(), TENON_ERROR_NOT_FOUND,
                  "the stream does not record a graph: use the stream from tenon_graph_begin");
    const int32_t count = self.recording()->node_count();
    TENON_REQUIRE(count, TENON_ERROR_NOT_FOUND, "the stream has recorded nothing yet");
    *out_node = count - 1;
  });
}
int32_t tenon_graph_get_node_info(const tenon_graph* graph, int32_t node, tenon_graph_node_info* out_info) {
  return guard([&] {
    const Graph& self = get(graph, "graph");
    const Node found = self.node(node);
    tenon_graph_node_info info{};
    info.kind = found.kind;
    info.name = found.name;
    info.parameter_count = Graph::parameter_count(found);
    info_to(out_info, info, "out_info");
  });
}
int32_t tenon_graph_get_parameter_info(const tenon_graph* graph, int32_t node, int32_t index,
                                       tenon_parameter_info* out_info) {
  return guard([&] {
    const Graph& self = get(graph, "graph");
    const Node found = self.node(node);
    if (auto* call = dynamic_cast<const Call*>(found.call.get()))
      return info_to(out_info, parameter_info(call->kernel(), index), "out_info");
    auto* call = static_cast<const RecordedCall*>(found.call.get());
    TENON_REQUIRE(call, TENON_ERROR_INVALID_ARGUMENT, "node %d is \"%s\", which has no arguments that can be replaced",
                  node, found.name);
    info_to(out_info, self.parameter(*call, found, index), "out_info");
  });
}
int32_t tenon_graph_retain(const tenon_graph* graph) { return retain(graph); }
void tenon_graph_release(tenon_graph* graph) { release(graph); }
