/* tests/plugin/host/host_object.c: packages of host code, one of each VARIANT: a good one (0), and those that are
   refused. */
#include <stdio.h>
#include <stdlib.h>
#include <tenon/tenon.h>

#define EXPORT __attribute__((visibility("default")))

#if VARIANT == 1 /* for a Tenon of another major */
EXPORT const uint32_t tenon_plugin_level = TENON_ABI_LEVEL + 0x10000u;
#elif VARIANT == 2 /* for a newer one */
EXPORT const uint32_t tenon_plugin_level = TENON_ABI_LEVEL + TENON_PACK_VERSION(0, 1, 0);
#elif VARIANT != 3 /* 3: it does not say */
EXPORT const uint32_t tenon_plugin_level = TENON_TARGET_LEVEL;
#endif

static const char contract[] =
    "name = \"hosted\"\n"
#if VARIANT == 4
    "version = \"1\"\n"
#else
    "version = \"1.0.0\"\n"
#endif
    "[op.scaled]\n"
    "doc = \"a * x + sum(add)\"\n"
    "types = { T = [\"float32\"] }\n"
    "parameters = [\"in T x[n]\", \"scalar T a = 3\", \"scalar float32 add[2] = 0\", \"out T y like x\"]\n"
    "require = [{ that = \"n < 1000\", message = \"n is {n}\" }]\n"
#if VARIANT == 5
    "host = \"missing\"\n"
#else
    "host = \"scaled\"\n"
#endif
    "devices = [\"cpu\"]\n"
    "test = [{ given = { x = [1.0, 2.0], a = 2.0, add = [0.5, 0.5] }, expect = { y = [3.0, 5.0] } }]\n"
    "[op.fails]\n"
    "parameters = [\"scalar int32 how\", \"inout float32 x\"]\n"
    "host = \"fails\"\n"
    "devices = [\"cpu\"]\n"
    "[op.shifted]\n"
    "parameters = [\"in float32 x[n]\", \"in optional float32 by[n]\", \"out float32 y like x\"]\n"
    "host = \"shifted\"\n"
    "devices = [\"cpu\"]\n"
    "[op.both]\n"
    "types = { T = [\"float32\"] }\n"
    "parameters = [\"in T x[n]\", \"out T y like x\"]\n"
    "temporaries = [\"T t like x\"]\n"
    "steps = [{ elementwise = \"t = x + 1\", read = [\"x\"], write = [\"t\"] }, { host = \"negate\", read = [\"t\"], write = [\"y\"] }]\n"
    "devices = [\"cpu\"]\n";

static const tenon_api* tenon;

static float* data_of(const tenon_arg* arg, int64_t* n) {
  tenon_array_info info = {.struct_size = sizeof info};
  if (tenon->array_get_info(arg->value.array, &info)) return NULL;
  *n = info.size;
  return info.data;
}

/* x, a, add, y */
static int32_t scaled(void* user, const tenon_host_call* call) {
  int64_t n = 0, m = 0;
  ++*(int*)user;
  const float* x = data_of(&call->args[0], &n);
  const float* add = call->args[2].value.bytes;
  float* y = data_of(&call->args[3], &m);
  if (call->count != 4 || !x || !y || n != m || call->args[2].size != 8 || call->args[1].dtype != TENON_FLOAT32) return TENON_ERROR_INTERNAL;
  for (int64_t i = 0; i < n; ++i) y[i] = call->args[1].value.f32 * x[i] + add[0] + add[1];
  return TENON_OK;
}

/* x, by, y: an array that was left out has kind 0 */
static int32_t shifted(void* user, const tenon_host_call* call) {
  int64_t n = 0;
  (void)user;
  const float* x = data_of(&call->args[0], &n);
  const float* by = call->args[1].kind ? data_of(&call->args[1], &n) : NULL;
  float* y = data_of(&call->args[2], &n);
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] + (by ? by[i] : 0);
  return TENON_OK;
}

static int32_t negate(void* user, const tenon_host_call* call) {
  int64_t n = 0, m = 0;
  (void)user;
  const float* x = data_of(&call->args[0], &n);
  float* y = data_of(&call->args[1], &m);
  for (int64_t i = 0; i < n; ++i) y[i] = -x[i];
  return TENON_OK;
}

static int32_t fails(void* user, const tenon_host_call* call) {
  tenon_device* device = NULL;
  const int32_t how = call->args[1].kind == TENON_ARG_SCALAR ? call->args[1].value.i32 : call->args[0].value.i32;
  (void)user;
  if (how == 1) return tenon->context_device(NULL, "cuda:63", &device); /* a failing call of Tenon's */
  if (how == 2) return TENON_ERROR_NOT_FINITE;                          /* a status without a text */
  return -1234;                                                         /* a code of its own */
}

static int32_t destroyed_functions;
static void destroy(void* user) { destroyed_functions += *(int*)user >= 0; }

/* Runs when the object is loaded, before anybody can ask it anything: says so in a file, and where its counter is. */
__attribute__((constructor)) static void loaded(void) {
  const char* mark = getenv("TENON_TEST_MARK");
  FILE* file = mark ? fopen(mark, "w") : NULL;
  char place[32];
  if (file) fclose(file);
  snprintf(place, sizeof place, "%p", (void*)&destroyed_functions);
  if (VARIANT == 0) setenv("TENON_TEST_DESTROYED", place, 1);
}

/* As the headers of a later level may have it. */
struct newer { tenon_host_function known; uint64_t more; };

#if VARIANT == 6 /* under another name */
#define tenon_plugin_init tenon_plugin_start
#endif
EXPORT int32_t tenon_plugin_init(const tenon_api* api, tenon_registry* registry) {
  static int calls;
  const tenon_host_function functions[] = {
      {.struct_size = sizeof(tenon_host_function), .name = "scaled", .function = scaled, .user = &calls, .destroy = destroy},
      {.struct_size = sizeof(tenon_host_function), .name = VARIANT == 7 ? "scaled" : "fails", .function = fails},
      {.struct_size = sizeof(tenon_host_function), .name = "negate", .function = VARIANT == 8 ? NULL : negate},
      {.struct_size = sizeof(tenon_host_function), .name = "shifted", .function = shifted},
  };
  enum { COUNT = sizeof functions / sizeof *functions };
  struct newer newer[COUNT] = {{{0}, 0}};
  tenon_device* device = NULL;
  int32_t status, i;
  if (!TENON_HAS(api, array_get_info) || registry->struct_size < sizeof(tenon_registry)) return TENON_ERROR_VERSION;
  tenon = api;
  if (VARIANT == 9) return 77;        /* it fails */
  if (VARIANT == 10) return TENON_OK; /* it registers nothing */
  if (VARIANT == 13 || VARIANT == 14) { /* from newer headers; 14: and uses what is new there */
    for (i = 0; i < COUNT; i++) newer[i].known = functions[i], newer[i].known.struct_size = sizeof newer[i];
    newer[2].more = VARIANT == 14;
    return registry->add(registry->user, contract, &newer[0].known, COUNT);
  }
  if (VARIANT == 15) { /* the sizeof of a pointer */
    newer[0].known = functions[0], newer[0].known.struct_size = sizeof(void*);
    return registry->add(registry->user, contract, &newer[0].known, 1);
  }
  if (VARIANT == 16) return api->context_device(NULL, "cuda:63", &device); /* a call of Tenon's fails */
  if (VARIANT == 17) return TENON_ERROR_VERSION;                           /* a status without a text */
  status = registry->add(registry->user, contract, functions, COUNT);
  if (VARIANT == 11) registry->add(registry->user, contract, functions, COUNT); /* and again */
  return VARIANT == 12 ? 78 : status; /* 12: it fails in the end */
}
