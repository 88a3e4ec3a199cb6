/* tests/abi/levels/client_1.0.c: a program as level 1.0 made it. It includes no header of Tenon's, but declares what it
 * uses as that level has it, and never changes: what a binary does that was built then and meets the library of today.
 * Arguments: the library, and the level's list of functions (abi/levels). Compiled as C and as C++. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kOk = 0, kInvalidArgument = 1, kShape = 8, kVersion = 22 };
static const uint32_t kLevel = 0x00010000u, kFloat32 = 0x00012002u, kFloat64 = 0x00014002u;
enum { kArgScalar = 2 };

typedef struct { /* tenon_arg */
  uint32_t kind, dtype;
  uint64_t size;
  union { double f64; double c128[2]; } value;
} Arg;
typedef struct { /* tenon_array_info */
  uint32_t struct_size, dtype;
  int32_t rank;
  uint32_t flags;
  void* data;
  const int64_t *shape, *strides;
  int64_t size;
  uint64_t bytes;
  int32_t device_kind, device_index, memory_kind, reserved;
} ArrayInfo;
typedef struct { /* tenon_gemm_options */
  uint32_t struct_size;
  int32_t compute;
  int32_t* out_packed;
  int32_t op_a, op_b;
  const void* bias;
  int32_t epilogue, tune;
} GemmOptions;

static int failures = 0;

static void expect(int right, const char* what, int line) {
  if (right) return;
  fprintf(stderr, "line %d: %s\n", line, what);
  ++failures;
}
#define EXPECT(condition) expect((condition), #condition, __LINE__)

static void* library;

static void* symbol(const char* name) {
  void* found = dlsym(library, name);
  if (!found) fprintf(stderr, "%s is not exported\n", name), exit(1);
  return found;
}
/* A function pointer of this type; C++ has no implicit conversion, and C none that is strictly legal. */
#define FUNCTION(name, result, parameters)          \
  result(*name) parameters;                         \
  do {                                              \
    void* found = symbol("tenon_" #name);           \
    memcpy((void*)&name, &found, sizeof found);     \
  } while (0)

/* The rows of the table lie where the level's list has them. Returns how many there are. */
static int check_rows(const char* table, uint32_t bytes, const char* path) {
  char line[200];
  int row = 0;
  FILE* list = fopen(path, "r");
  if (!list) fprintf(stderr, "%s cannot be read\n", path), exit(1);
  while (fgets(line, sizeof line, list)) {
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "tenon_", 6)) continue; /* a remark, or a struct's size */
    const size_t at = 8 + (size_t)row++ * sizeof(void*);
    void* in_table = NULL;
    if (at + sizeof in_table <= bytes) memcpy(&in_table, table + at, sizeof in_table);
    if (in_table != symbol(line)) fprintf(stderr, "row %d of the table is not %s\n", row - 1, line), ++failures;
  }
  fclose(list);
  return row;
}

int main(int argc, char** argv) {
  if (argc < 3 || !(library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL))) {
    fprintf(stderr, "%s\n", argc < 3 ? "give the library and the list of the level" : dlerror());
    return 1;
  }
  FUNCTION(get_api, const void*, (uint32_t level));
  FUNCTION(error_last_message, const char*, (void));
  FUNCTION(context_device, int32_t, (void* context, const char* name, void** out));
  FUNCTION(device_release, void, (void* device));
  FUNCTION(array_from_host, int32_t,
           (void* device, uint32_t dtype, int32_t rank, const int64_t* shape, const void* data, uint64_t bytes,
            void* stream, void** out));
  FUNCTION(array_to_host, int32_t, (const void* array, void* data, uint64_t bytes, void* stream));
  FUNCTION(array_get_info, int32_t, (const void* array, ArrayInfo* info));
  FUNCTION(array_release, void, (void* array));
  FUNCTION(gemm, int32_t,
           (const Arg* alpha, const void* a, const void* b, const Arg* beta, const GemmOptions* options, void* stream,
            void** out));

  const char* table = (const char*)get_api(kLevel);
  EXPECT(table != NULL);
  uint32_t bytes = 0, level = 0;
  memcpy(&bytes, table, 4);
  memcpy(&level, table + 4, 4);
  EXPECT(level >= kLevel && level >> 16 == kLevel >> 16);
  EXPECT(check_rows(table, bytes, argv[2]) > 250);

  void *cpu = NULL, *a = NULL, *c = NULL;
  const int64_t shape[] = {2, 2};
  const float elements[] = {1, 2, 3, 4};
  EXPECT(context_device(NULL, "cpu", &cpu) == kOk);
  EXPECT(array_from_host(cpu, kFloat32, 2, shape, elements, sizeof elements, NULL, &a) == kOk);

  /* A struct that receives results: of this size, and of a newer client, whose tail becomes zero. */
  struct { ArrayInfo known; unsigned char newer[16]; } info;
  EXPECT(sizeof info.known == 72);
  for (uint32_t tail = 0; tail <= 16; tail += 16) {
    memset(&info, 0xa5, sizeof info);
    info.known.struct_size = 72 + tail;
    EXPECT(array_get_info(a, &info.known) == kOk);
    EXPECT(info.known.struct_size == 72 + tail && info.known.dtype == kFloat32 && info.known.rank == 2);
    EXPECT(info.known.shape[1] == 2 && info.known.strides[0] == 2 && info.known.size == 4 && info.known.bytes == 16);
    for (int i = 0; i < 16; ++i) EXPECT(info.newer[i] == (tail ? 0 : 0xa5));
  }
  info.known.struct_size = sizeof(void*);
  EXPECT(array_get_info(a, &info.known) == kInvalidArgument && strstr(error_last_message(), "struct_size"));

  /* A struct of options: of this size, of newer clients, and of a mistaken one. */
  Arg two;
  memset(&two, 0, sizeof two);
  two.kind = kArgScalar, two.dtype = kFloat64, two.size = 8, two.value.f64 = 2;
  struct { GemmOptions known; uint64_t newer; } options;
  memset(&options, 0, sizeof options);
  EXPECT(sizeof options.known == 40);
  options.known.op_b = 1;
  const float product[] = {10, 22, 22, 50};
  float found[4];
  for (uint32_t size = 40; size <= 48; size += 8) {
    options.known.struct_size = size;
    memset(found, 0, sizeof found);
    EXPECT(gemm(&two, a, a, NULL, &options.known, NULL, &c) == kOk);
    EXPECT(array_to_host(c, found, sizeof found, NULL) == kOk && !memcmp(found, product, sizeof found));
  }
  options.newer = 1;
  EXPECT(gemm(&two, a, a, NULL, &options.known, NULL, &c) == kVersion && *error_last_message());
  options.known.struct_size = sizeof(void*);
  EXPECT(gemm(&two, a, a, NULL, &options.known, NULL, &c) == kInvalidArgument);
  array_release(c);
  c = NULL;
  const int64_t long_shape[] = {1, 4};
  void* row = NULL;
  EXPECT(array_from_host(cpu, kFloat32, 2, long_shape, elements, sizeof elements, NULL, &row) == kOk);
  EXPECT(gemm(NULL, row, a, NULL, NULL, NULL, &c) == kShape && !c);
  array_release(row);
  array_release(a);
  device_release(cpu);
  return failures != 0;
}
