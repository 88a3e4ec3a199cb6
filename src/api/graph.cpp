// api/graph.cpp: recorded work.
#include "api/guard.hpp"

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
  return guard([&] { get(graph, "graph").clear(); });
}
int32_t tenon_graph_launch(tenon_graph* graph, tenon_stream* stream) {
  return guard([&] {
    Graph& self = get(graph, "graph");
    if (const int32_t status = lost(self.device())) return status;
    self.open();
    self.launch(stream_or_default(get_or_null(stream, "stream"), self.device()));
    return TENON_OK;
  });
}
int32_t tenon_graph_set(tenon_graph* graph, int32_t node, int32_t index, const tenon_arg* arg) {
  return guard([&] {
    Graph& self = get(graph, "graph");
    self.set(node, index, need(arg, "arg"));
  });
}
int32_t tenon_graph_node_count(const tenon_graph* graph, int32_t* out_count) {
  return guard([&] {
    const Graph& self = get(graph, "graph");
    need(out_count, "out_count") = self.node_count();
  });
}
int32_t tenon_graph_node(const tenon_graph* graph, int32_t node, tenon_graph_node_info* out_info) {
  return guard([&] {
    const Graph& self = get(graph, "graph");
    const Step& step = self.node(node);
    tenon_graph_node_info info{};
    info.kind = step.kind;
    info.name = step.name.c_str();
    info.parameter_count = self.parameter_count(node);
    info_to(out_info, info, "out_info");
  });
}
int32_t tenon_graph_parameter(const tenon_graph* graph, int32_t node, int32_t index, tenon_parameter_info* out_info) {
  return guard([&] { info_to(out_info, parameter_info(get(graph, "graph").call(node).kernel(), index), "out_info"); });
}
int32_t tenon_graph_retain(tenon_graph* graph) { return retain(graph); }
void tenon_graph_release(tenon_graph* graph) { release(graph); }
