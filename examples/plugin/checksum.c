/* A package of host code: zlib's checksums as operations. It is a shared object that registers a contract and the functions that the
 * contract names; it links zlib, and not Tenon: everything of Tenon's comes in through the table that tenon_plugin_init is given.
 *
 *   cc -shared -fPIC checksum.c -o checksum.so $(pkg-config --cflags tenon) -lz
 *   tenon run $PWD/checksum.so/crc32 data.npy
 */
#include <tenon/tenon.h>
#include <zlib.h>

/* The library looks at this before it calls anything. */
__attribute__((visibility("default"))) const uint32_t tenon_plugin_level = TENON_TARGET_LEVEL;

static const char contract[] =
    "name = \"checksum\"\n"
    "version = \"1.0.0\"\n"
    "license = \"Apache-2.0\"\n"
    "doc = \"Checksums of zlib.\"\n"
    "[op.crc32]\n"
    "doc = \"The CRC-32 of an array's bytes.\"\n"
    "parameters = [\"in uint8 data: the bytes\", \"scalar uint32 start = 0: the checksum of what came before\", \"out uint32 value[1]\"]\n"
    "host = \"crc32\"\n"
    "devices = [\"cpu\"]\n"
    "test = [\n"
    "  { given = { data = [49, 50, 51, 52, 53, 54, 55, 56, 57] }, expect = { value = [3421780262] } },\n"
    "  { given = { data = [54, 55, 56, 57], start = 3421846044 }, expect = { value = [3421780262] } },\n"
    "]\n"
    "[op.adler32]\n"
    "doc = \"The Adler-32 of an array's bytes.\"\n"
    "parameters = [\"in uint8 data\", \"scalar uint32 start = 1\", \"out uint32 value[1]\"]\n"
    "host = \"adler32\"\n"
    "devices = [\"cpu\"]\n"
    "test = [{ given = { data = [87, 105, 107, 105, 112, 101, 100, 105, 97] }, expect = { value = [300286872] } }]\n";

static const tenon_api* tenon;

/* Both functions of zlib have this form. */
typedef uLong (*checksum)(uLong start, const Bytef* data, uInt size);

/* The arguments are what the contract says: inputs and scalars in their order, then outputs. They have been checked. */
static int32_t run(void* user, const tenon_host_call* call) {
  tenon_array_info data = {.struct_size = sizeof data}, sum = {.struct_size = sizeof sum};
  int32_t status = tenon->array_get_info(call->args[0].value.array, &data);
  if (!status) status = tenon->array_get_info(call->args[2].value.array, &sum);
  if (!status) status = tenon->stream_synchronize(call->stream); /* the memory is looked at right here */
  if (status) return status;
  uLong value = call->args[1].value.u32;
  const checksum function = *(const checksum*)user;
  const Bytef* at = data.data;
  for (uint64_t left = data.bytes; left > 0;) { /* zlib's sizes are 32 bits wide */
    const uInt part = left < 1u << 30 ? (uInt)left : 1u << 30;
    value = function(value, at, part);
    at += part;
    left -= part;
  }
  *(uint32_t*)sum.data = (uint32_t)value;
  return TENON_OK;
}

__attribute__((visibility("default"))) int32_t tenon_plugin_init(const tenon_api* api, tenon_registry* registry) {
  static const checksum crc = crc32, adler = adler32;
  const tenon_host_function functions[] = {
      {.struct_size = sizeof(tenon_host_function), .name = "crc32", .function = run, .user = (void*)&crc},
      {.struct_size = sizeof(tenon_host_function), .name = "adler32", .function = run, .user = (void*)&adler},
  };
  tenon = api;
  return registry->add(registry->user, contract, functions, 2);
}
