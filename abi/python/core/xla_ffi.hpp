/* abi/python/core/xla_ffi.hpp: XLA's foreign function interface (version 0.x) in our own words, as far as the module
 * needs it. Structs grow at their ends only and say their size. */
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenon_python::xla {

struct Api;
struct Error;
struct Extension {
  size_t struct_size;
  int32_t type; /* 1: Metadata */
  Extension* next;
};
constexpr int32_t metadata_extension = 1;

struct Version {
  size_t struct_size;
  Extension* extension_start;
  int32_t major, minor;
};

struct Metadata {
  size_t struct_size;
  Version version;
  uint32_t traits;
  int64_t state_type;
};

struct MetadataExtension {
  Extension base;
  Metadata* metadata;
};

struct Buffer {
  size_t struct_size;
  Extension* extension_start;
  int32_t dtype;
  void* data;
  int64_t rank;
  int64_t* dims;
};

struct Buffers { /* arguments and results alike */
  size_t struct_size;
  Extension* extension_start;
  int64_t size;
  int32_t* types; /* 1: a buffer */
  Buffer** buffers;
};

struct Text {
  const char* data;
  size_t size;
};
struct Scalar {
  int32_t dtype;
  void* value;
};
struct List {
  int32_t dtype;
  size_t size;
  void* data;
};
enum : int32_t { attribute_list = 1, attribute_scalar = 3 };

struct Attributes { /* by name, in alphabetical order */
  size_t struct_size;
  Extension* extension_start;
  int64_t size;
  int32_t* types;
  Text** names;
  void** values;
};

struct CallFrame {
  size_t struct_size;
  Extension* extension_start;
  const Api* api;
  void* context;
  int32_t stage; /* 3: execute */
  Buffers arguments, results;
  Attributes attributes;
};
constexpr int32_t execute_stage = 3;

struct ErrorCreate {
  size_t struct_size;
  Extension* extension_start;
  const char* message;
  int32_t code;
};
enum : int32_t { code_invalid_argument = 3, code_resource_exhausted = 8, code_internal = 13 };

struct StreamGet {
  size_t struct_size;
  Extension* extension_start;
  void* context;
  void* stream;
};

struct DeviceOrdinalGet {
  size_t struct_size;
  Extension* extension_start;
  void* context;
  int32_t ordinal;
};

struct Api {
  size_t struct_size;
  Extension* extension_start;
  Version version;
  const void* internal;
  Error* (*error_create)(ErrorCreate*);
  void (*error_get_message)(void*);
  void (*error_destroy)(void*);
  Error* (*handler_register)(void*);
  Error* (*stream_get)(StreamGet*);
  const void* others[12];                          /* of types, states, memory, threads, futures and runs */
  Error* (*device_ordinal_get)(DeviceOrdinalGet*); /* from 0.2 on: struct_size says whether it is there */
};

static_assert(sizeof(Version) == 24 && sizeof(Metadata) == 48 && sizeof(Buffer) == 48 && sizeof(Buffers) == 40 &&
              sizeof(Attributes) == 48 && offsetof(CallFrame, arguments) == 40 && offsetof(Api, error_create) == 48 &&
              offsetof(Api, device_ordinal_get) == 184);

}  // namespace tenon_python::xla
