-- examples/lua/main.lua: a kernel, a product and an operation of a package from LuaJIT's FFI, on memory of Lua's.
-- Usage: luajit main.lua LIBTENON [DEVICE]
local ffi = require "ffi"
ffi.cdef [[
typedef struct { uint32_t kind, dtype; uint64_t size;
                 union { void* array; int32_t i32; float f32; double c128[2]; } value; } tenon_arg;
typedef struct { uint32_t struct_size, flags, grid[3], block[3], cluster[3], shared_bytes; } tenon_launch;
typedef struct { uint32_t struct_size, flags; const char* name; const char* const* kernels; int32_t kernel_count,
                 header_count; const char* const* header_names; const char* const* header_sources;
                 const char* const* options; int32_t option_count, mode; const char* architecture;
                 const char* const* globals; int32_t global_count; uint32_t reserved; double time_limit;
} tenon_program_options;
int32_t tenon_context_device(void*, const char* name, void** out);
const char* tenon_error_last_message(void);
int32_t tenon_program_create(void* device, const char* source, uint64_t size, const tenon_program_options*, void** out);
int32_t tenon_program_kernel(void* program, const char* name, void** out);
int32_t tenon_kernel_launch(void* kernel, const tenon_launch*, const tenon_arg* args, int32_t count, void* stream);
int32_t tenon_buffer_wrap(void* device, void* data, uint64_t bytes, int32_t kind, int32_t read_only, void* stream,
                          void* destroy, void* user, void** out);
int32_t tenon_array_from_buffer(void* buffer, uint32_t dtype, int32_t rank, const int64_t* shape,
                                const int64_t* strides, uint64_t offset, void** out);
int32_t tenon_gemm(const void* alpha, void* a, void* b, const void* beta, const void* options, void* stream, void** c);
int32_t tenon_operation_find(void* context, const char* name, const char* range, void** out);
int32_t tenon_operation_call(void* operation, const tenon_arg* args, int32_t count, void* stream);
void tenon_release(void* handle);
]]
local tenon = ffi.load(assert(arg[1], "usage: luajit main.lua LIBTENON [DEVICE]"))
local FLOAT32, INT32, ARRAY, SCALAR = 0x12002, 0x12000, 1, 2

-- Calls a function that ends in an output handle, which the collector releases.
local function made(call, ...)
  local out, given = ffi.new "void*[1]", {...}
  given[select("#", ...) + 1] = out
  if call(unpack(given, 1, select("#", ...) + 1)) ~= 0 then error(ffi.string(tenon.tenon_error_last_message()), 2) end
  return ffi.gc(out[0], tenon.tenon_release)
end
local function check(status)
  if status ~= 0 then error(ffi.string(tenon.tenon_error_last_message()), 2) end
end
local function array(device, memory, rows, columns)
  local buffer = made(tenon.tenon_buffer_wrap, device, memory, 4 * rows * columns, 0, 0, nil, nil, nil)
  return made(tenon.tenon_array_from_buffer, buffer, FLOAT32, 2, ffi.new("int64_t[2]", rows, columns), nil, 0)
end
local function close(got, exact, what)
  if not (math.abs(got - exact) <= 1e-5) then error(("%s is wrong: %g, not %g"):format(what, got, exact)) end
end

local m, k, n = 5, 7, 3
local a, b, c = ffi.new("float[?]", m * k), ffi.new("float[?]", k * n), ffi.new("float[?]", m * n)
for i = 0, m * k - 1 do a[i] = i % 11 / 8 end
for i = 0, k * n - 1 do b[i] = 1 - i % 5 / 4 end
local device = made(tenon.tenon_context_device, nil, arg[2] or "cpu:0")
local da, db, dc = array(device, a, m, k), array(device, b, k, n), array(device, c, m, n)

local source = [[
extern "C" __global__ void scale(float* x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= a;
}]]
local names = ffi.new("const char*[1]", {"scale"})
local options = ffi.new("tenon_program_options", {kernels = names, kernel_count = 1})
options.struct_size = ffi.sizeof(options)
local program = made(tenon.tenon_program_create, device, source, #source, options)
local kernel = made(tenon.tenon_program_kernel, program, "scale")
local launch = ffi.new("tenon_launch", {grid = {1, 1, 1}, block = {64, 1, 1}})
launch.struct_size = ffi.sizeof(launch)
local args = ffi.new("tenon_arg[3]")
args[0].kind, args[0].value.array = ARRAY, da
args[1].kind, args[1].dtype, args[1].value.f32 = SCALAR, FLOAT32, 2
args[2].kind, args[2].dtype, args[2].value.i32 = SCALAR, INT32, m * k
check(tenon.tenon_kernel_launch(kernel, launch, args, 3, nil))
for i = 0, m * k - 1 do close(a[i], i % 11 / 4, "the kernel") end

check(tenon.tenon_gemm(nil, da, db, nil, nil, nil, ffi.new("void*[1]", {dc})))
local product = {}
for i = 0, m - 1 do
  for j = 0, n - 1 do
    local sum = 0
    for p = 0, k - 1 do sum = sum + a[i * k + p] * b[p * n + j] end
    product[i * n + j] = sum
    close(c[i * n + j], sum, "the product")
  end
end

local operation = made(tenon.tenon_operation_find, nil, "elementwise/sigmoid", nil)
args[0].value.array, args[1] = dc, ffi.new("tenon_arg", {kind = ARRAY, value = {array = dc}})
check(tenon.tenon_operation_call(operation, args, 2, nil))
for i = 0, m * n - 1 do close(c[i], 1 / (1 + math.exp(-product[i])), "the operation") end
print "LuaJIT: kernel, product and operation are right"
