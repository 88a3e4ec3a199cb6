// api/dlpack.cpp: DLPack in and out. A tensor is taken over only once its handle exists.
#include "core/array/dlpack.hpp"

#include "api/guard.hpp"

using namespace tenon;
using namespace tenon::api;

namespace {

void commit(Out<tenon_array>& out, dlpack::Imported imported) {
  Buffer& buffer = imported.array->buffer();
  out.set(std::move(imported.array));
  buffer.take_over(imported.destroy, imported.user);
}

}  // namespace

int32_t tenon_array_from_dlpack(tenon_context* context, struct DLManagedTensor* tensor, int32_t read_only,
                                tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    TENON_REQUIRE(read_only == 0 || read_only == 1, TENON_ERROR_INVALID_ARGUMENT, "read_only is %d: 0 or 1", read_only);
    Context& self = context_or_default(context);
    commit(out, dlpack::import_legacy(self, reinterpret_cast<dlpack::Managed*>(tensor), read_only,
                                      get_or_null(stream, "stream")));
  });
}
int32_t tenon_array_from_dlpack_versioned(tenon_context* context, struct DLManagedTensorVersioned* tensor,
                                          tenon_stream* stream, tenon_array** out_array) {
  return guard([&] {
    Out out(out_array, "out_array");
    Context& self = context_or_default(context);
    commit(out,
           dlpack::import_versioned(self, reinterpret_cast<dlpack::Versioned*>(tensor), get_or_null(stream, "stream")));
  });
}
int32_t tenon_array_follow(tenon_array* array, tenon_current_stream_fn current) {
  return guard([&] {
    Array& self = get(array, "array");
    TENON_REQUIRE(current, TENON_ERROR_INVALID_ARGUMENT,
                  "current is NULL: it must be a function that returns the framework's current stream");
    TENON_REQUIRE(self.buffer().foreign(), TENON_ERROR_UNSUPPORTED,
                  "Tenon owns the array's memory: only imported memory can follow a framework's stream");
    self.buffer().follow(current);
  });
}
int32_t tenon_array_to_dlpack(const tenon_array* array, uint32_t flags, tenon_stream* stream,
                              struct DLManagedTensor** out_tensor) {
  return guard([&] {
    need(out_tensor, "out_tensor") = nullptr;
    const Array& self = get(array, "array");
    *out_tensor =
        reinterpret_cast<struct DLManagedTensor*>(dlpack::export_legacy(self, flags, get_or_null(stream, "stream")));
  });
}
int32_t tenon_array_to_dlpack_versioned(const tenon_array* array, uint32_t flags, tenon_stream* stream,
                                        struct DLManagedTensorVersioned** out_tensor) {
  return guard([&] {
    need(out_tensor, "out_tensor") = nullptr;
    const Array& self = get(array, "array");
    *out_tensor = reinterpret_cast<struct DLManagedTensorVersioned*>(
        dlpack::export_versioned(self, flags, get_or_null(stream, "stream")));
  });
}
