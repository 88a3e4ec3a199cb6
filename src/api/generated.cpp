// api/generated.cpp: kernels made from expressions.
#include "api/arguments.hpp"
#include "ops/compute/compose.hpp"

using namespace tenon;
using namespace tenon::api;

namespace {

GeneratedOptions generated_options(const tenon_generated_options* given) {
  const tenon_generated_options options = options_from(given, "options");
  constexpr uint32_t known = TENON_PROGRAM_FLAG_FAST_MATH | TENON_PROGRAM_FLAG_NO_CACHE;
  TENON_REQUIRE((options.flags & ~known) == 0, TENON_ERROR_INVALID_ARGUMENT, "flags 0x%x: unknown bits 0x%x",
                options.flags, options.flags & ~known);
  TENON_REQUIRE(options.mode >= TENON_PROGRAM_MODE_FAST && options.mode <= TENON_PROGRAM_MODE_CHECK,
                TENON_ERROR_INVALID_ARGUMENT, "mode %d is not one of TENON_PROGRAM_MODE_FAST, _DEBUG, _CHECK",
                options.mode);
  GeneratedOptions out;
  out.flags = options.flags;
  out.mode = options.mode;
  if (options.name) out.name = options.name;
  if (options.preamble) out.preamble = options.preamble;
  if (options.accumulator) out.accumulator = options.accumulator;
  for (const char* text : need_list(options.options, options.option_count, "options")) {
    TENON_REQUIRE(text, TENON_ERROR_INVALID_ARGUMENT, "options[%zu] is NULL", out.options.size());
    out.options.emplace_back(text);
  }
  return out;
}

// For calls on a recording stream: again(self, args, count, stream).
template <class T, class F> void record(T& self, const CallArguments& args, Stream& stream, F again) {
  record_call(stream, TENON_GRAPH_GENERATED, self.name(), args.data(), args.count(),
              [self = Ref<T>(&self), again](const CallArgument* list, int32_t size, Stream& on) {
                again(*self, list, size, on);
              });
}

bool records(const Stream* stream) { return stream && stream->recording(); }

}  // namespace

int32_t tenon_elementwise_create(const char* inputs, const char* outputs, const char* operation,
                                 const tenon_generated_options* options, tenon_elementwise** out_elementwise) {
  return guard([&] {
    Out out(out_elementwise, "out_elementwise");
    need(inputs, "inputs"), need(outputs, "outputs"), need(operation, "operation");
    out.set(Elementwise::create(inputs, outputs, operation, generated_options(options)));
  });
}
int32_t tenon_elementwise_compose(const uint32_t* inputs, int32_t input_count, const tenon_step* steps,
                                  int32_t step_count, const int32_t* outputs, int32_t output_count,
                                  const tenon_generated_options* options, tenon_elementwise** out_elementwise) {
  return guard([&] {
    Out out(out_elementwise, "out_elementwise");
    out.set(ops::compose(need_list(inputs, input_count, "inputs"), need_list(steps, step_count, "steps"),
                         need_list(outputs, output_count, "outputs"), generated_options(options)));
  });
}
int32_t tenon_elementwise_call(tenon_elementwise* elementwise, const tenon_arg* args, int32_t count,
                               tenon_stream* stream) {
  return guard([&] {
    Elementwise& self = get(elementwise, "elementwise");
    const CallArguments given(args, count, self.parameter_count());
    Stream* const on = get_or_null(stream, "stream");
    if (!records(on)) return self.call(given.data(), given.count(), on);
    record(self, given, *on, [](Elementwise& one, const CallArgument* list, int32_t size, Stream& where) {
      one.call(list, size, &where);
    });
  });
}
int32_t tenon_elementwise_output(tenon_elementwise* elementwise, const tenon_arg* args, int32_t count, int32_t index,
                                 tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    Elementwise& self = get(elementwise, "elementwise");
    const CallArguments given(args, count, self.parameter_count());
    out.set(self.output(given.data(), given.count(), index, get_or_null(stream, "stream")));
  });
}
int32_t tenon_elementwise_retain(const tenon_elementwise* elementwise) { return retain(elementwise); }
void tenon_elementwise_release(tenon_elementwise* elementwise) { release(elementwise); }

int32_t tenon_reduction_create(const char* inputs, const char* output, const char* map, const char* reduce,
                               const char* post, const char* identity, const tenon_generated_options* options,
                               tenon_reduction** out_reduction) {
  return guard([&] {
    Out out(out_reduction, "out_reduction");
    need(inputs, "inputs"), need(output, "output"), need(map, "map"), need(reduce, "reduce"), need(post, "post");
    ReductionText text{inputs, output, map, reduce, post, identity ? identity : "", identity != nullptr};
    out.set(Reduction::create(std::move(text), generated_options(options)));
  });
}
int32_t tenon_reduction_compose(const uint32_t* inputs, int32_t input_count, const tenon_step* steps,
                                int32_t step_count, int32_t value, int32_t function,
                                const tenon_generated_options* options, tenon_reduction** out_reduction) {
  return guard([&] {
    Out out(out_reduction, "out_reduction");
    out.set(ops::compose_reduction(need_list(inputs, input_count, "inputs"), need_list(steps, step_count, "steps"),
                                   value, function, generated_options(options)));
  });
}
int32_t tenon_reduction_call(tenon_reduction* reduction, const tenon_arg* args, int32_t count, const int32_t* axes,
                             int32_t axis_count, tenon_stream* stream) {
  return guard([&] {
    Reduction& self = get(reduction, "reduction");
    const CallArguments given(args, count, self.parameter_count());
    need_list(axes, axis_count, "axes");
    Stream* const on = get_or_null(stream, "stream");
    if (!records(on)) return self.call(given.data(), given.count(), axes, axis_count, on);
    // 0 axes mean all of them, and then the list may be NULL.
    record(self, given, *on,
           [all = !axes, kept = std::vector<int32_t>(axes, axes + axis_count)](Reduction& one, const CallArgument* list,
                                                                               int32_t size, Stream& where) {
             one.call(list, size, all ? nullptr : kept.data(), int32_t(kept.size()), &where);
           });
  });
}
int32_t tenon_reduction_output(tenon_reduction* reduction, const tenon_arg* args, int32_t count, const int32_t* axes,
                               int32_t axis_count, int32_t keep_axes, tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    Reduction& self = get(reduction, "reduction");
    const CallArguments given(args, count, self.parameter_count());
    need_list(axes, axis_count, "axes");
    TENON_REQUIRE(keep_axes == 0 || keep_axes == 1, TENON_ERROR_INVALID_ARGUMENT, "keep_axes is %d: 0 or 1", keep_axes);
    out.set(self.output(given.data(), given.count(), axes, axis_count, keep_axes, get_or_null(stream, "stream")));
  });
}
int32_t tenon_reduction_retain(const tenon_reduction* reduction) { return retain(reduction); }
void tenon_reduction_release(tenon_reduction* reduction) { release(reduction); }

int32_t tenon_scan_create(const char* inputs, const char* output, const char* map, const char* combine,
                          const char* identity, int32_t exclusive, const tenon_generated_options* options,
                          tenon_scan** out_scan) {
  return guard([&] {
    Out out(out_scan, "out_scan");
    need(inputs, "inputs"), need(output, "output"), need(map, "map"), need(combine, "combine"),
        need(identity, "identity");
    TENON_REQUIRE(exclusive == 0 || exclusive == 1, TENON_ERROR_INVALID_ARGUMENT, "exclusive is %d: 0 or 1", exclusive);
    out.set(Scan::create({inputs, output, map, combine, identity, exclusive == 1}, generated_options(options)));
  });
}
int32_t tenon_scan_compose(const uint32_t* inputs, int32_t input_count, const tenon_step* steps, int32_t step_count,
                           int32_t value, int32_t function, int32_t exclusive, const tenon_generated_options* options,
                           tenon_scan** out_scan) {
  return guard([&] {
    Out out(out_scan, "out_scan");
    TENON_REQUIRE(exclusive == 0 || exclusive == 1, TENON_ERROR_INVALID_ARGUMENT, "exclusive is %d: 0 or 1", exclusive);
    out.set(ops::compose_scan(need_list(inputs, input_count, "inputs"), need_list(steps, step_count, "steps"), value,
                              function, exclusive, generated_options(options)));
  });
}
int32_t tenon_scan_call(tenon_scan* scan, const tenon_arg* args, int32_t count, int32_t axis, tenon_stream* stream) {
  return guard([&] {
    Scan& self = get(scan, "scan");
    const CallArguments given(args, count, self.parameter_count());
    Stream* const on = get_or_null(stream, "stream");
    if (!records(on)) return self.call(given.data(), given.count(), axis, on);
    record(self, given, *on, [axis](Scan& one, const CallArgument* list, int32_t size, Stream& where) {
      one.call(list, size, axis, &where);
    });
  });
}
int32_t tenon_scan_output(tenon_scan* scan, const tenon_arg* args, int32_t count, tenon_stream* stream,
                          tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    Scan& self = get(scan, "scan");
    const CallArguments given(args, count, self.parameter_count());
    out.set(self.output(given.data(), given.count(), get_or_null(stream, "stream")));
  });
}
int32_t tenon_scan_retain(const tenon_scan* scan) { return retain(scan); }
void tenon_scan_release(tenon_scan* scan) { release(scan); }
