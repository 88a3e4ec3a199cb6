// kernel/recorded_call.cpp: arguments that are kept, and calls that are recorded again with others.
#include "kernel/recorded_call.hpp"

#include <cstring>

namespace tenon {
namespace {

bool is_array(const tenon_arg& argument) {
  return argument.kind == TENON_ARG_ARRAY || argument.kind == TENON_ARG_STRIDED;
}

}  // namespace

KeptArguments::KeptArguments(const tenon_arg* args, int32_t count) {
  KeptArguments made;  // gives back what it has when one of the others fails
  made.args_.reserve(size_t(count));
  for (int32_t i = 0; i < count; ++i) {
    tenon_arg argument = args[i];
    if (is_array(argument)) {
      slot_retain(argument.value.array, HandleKind::array);
    } else if (argument.kind == TENON_ARG_BYTES && argument.value.bytes) {
      made.bytes_.push_back(std::make_unique<unsigned char[]>(argument.size));
      std::memcpy(made.bytes_.back().get(), argument.value.bytes, argument.size);
      argument.value.bytes = made.bytes_.back().get();
    }
    made.args_.push_back(argument);
  }
  *this = std::move(made);
}

KeptArguments::~KeptArguments() {
  for (const tenon_arg& argument : args_)
    if (is_array(argument))
      if (Object* array = slot_release(argument.value.array, HandleKind::array)) array->release();
}

void KeptArguments::check(int32_t index, const char* who) const {
  TENON_REQUIRE(index >= 0 && index < count(), TENON_ERROR_INVALID_ARGUMENT,
                "argument %d of %s is out of range: it has %d arguments", index, who, count());
}

std::vector<tenon_arg> KeptArguments::with(int32_t index, const tenon_arg& argument, const char* who) const {
  check(index, who);
  std::vector<tenon_arg> out = args_;
  out[size_t(index)] = argument;
  return out;
}

tenon_parameter_info KeptArguments::parameter(int32_t index, const char* who) const {
  check(index, who);
  const tenon_arg& argument = args_[size_t(index)];
  tenon_parameter_info info{};
  if (is_array(argument)) {
    info.kind = TENON_PARAMETER_POINTER;
    info.dtype = array_of_handle(argument.value.array, "the array").dtype();
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

std::vector<Step> RecordedCall::record(Device& device, const tenon_arg* args, int32_t count) const {
  const Ref<Recording> recording = make<Recording>(device);
  const Ref<RecordingStream> stream = make<RecordingStream>(recording);
  again_(args, count, *stream);
  return recording->finish().steps;
}

void record_call(Stream& stream, int32_t kind, const std::string& name, const tenon_arg* args, int32_t count,
                 RecordedCall::Again again) {
  recorded_whole(stream, [&] {
    again(args, count, stream);
    stream.recording()->describe(kind, name, make<RecordedCall>(args, count, std::move(again)));
  });
}

}  // namespace tenon
