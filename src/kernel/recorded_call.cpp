// kernel/recorded_call.cpp: arguments that are kept, and calls that are recorded again with others.
#include "kernel/recorded_call.hpp"

#include <cstring>

namespace tenon {

KeptArguments::KeptArguments(const CallArgument* args, int32_t count) {
  args_.reserve(size_t(count));
  for (int32_t i = 0; i < count; ++i) {
    CallArgument argument = args[i];
    if (argument.is_array()) {
      arrays_.emplace_back(argument.array);
    } else if (argument.kind == TENON_ARG_BYTES && argument.value.bytes) {
      bytes_.push_back(std::make_unique<unsigned char[]>(argument.size));
      std::memcpy(bytes_.back().get(), argument.value.bytes, argument.size);
      argument.value.bytes = bytes_.back().get();
    }
    args_.push_back(argument);
  }
}

void KeptArguments::check(int32_t index, const char* who) const {
  TENON_REQUIRE(index >= 0 && index < count(), TENON_ERROR_INVALID_ARGUMENT,
                "argument %d of %s is out of range: it has %d arguments", index, who, count());
}

std::vector<CallArgument> KeptArguments::with(int32_t index, const CallArgument& argument, const char* who) const {
  check(index, who);
  std::vector<CallArgument> out = args_;
  out[size_t(index)] = argument;
  return out;
}

tenon_parameter_info KeptArguments::parameter(int32_t index, const char* who) const {
  check(index, who);
  const CallArgument& argument = args_[size_t(index)];
  tenon_parameter_info info{};
  if (argument.is_array()) {
    info.kind = TENON_PARAMETER_POINTER;
    info.dtype = argument.array->dtype();
    info.size = info.alignment = sizeof(void*);
    info.element_size = dtype_bytes(info.dtype);
  } else if (argument.kind == TENON_ARG_SCALAR) {
    info.kind = TENON_PARAMETER_SCALAR;
    info.dtype = argument.dtype;
    info.size = dtype_bytes(info.dtype);
    info.alignment = info.size;
  } else {
    info.kind = argument.kind == TENON_ARG_BYTES ? TENON_PARAMETER_STRUCT : TENON_PARAMETER_UNKNOWN;
    info.size = uint32_t(argument.size);
    info.alignment = 1;
  }
  return info;
}

std::vector<RecordedWork> RecordedCall::record(Device& device, const CallArgument* args, int32_t count) const {
  const Ref<Recording> recording = make<Recording>(device);
  const Ref<RecordingStream> stream = make<RecordingStream>(recording);
  again_(args, count, *stream);
  return recording->finish().pieces;
}

void record_call(Stream& stream, int32_t kind, const std::string& name, const CallArgument* args, int32_t count,
                 RecordedCall::Again again) {
  recorded_whole(stream, [&] {
    again(args, count, stream);
    stream.recording()->describe(kind, name, make<RecordedCall>(args, count, std::move(again)));
  });
}

}  // namespace tenon
