# A CUDA C kernel and a matrix product from Julia, on a GPU or on a machine without one, with the raw layer only.
# Usage: JULIA_LOAD_PATH=abi/julia:@stdlib TENON_LIBRARY=.../libtenon.so.1 julia examples/julia/main.jl [DEVICE]
using Tenon
using Tenon.Raw: make, pack
const R = Tenon.Raw

const SAXPY = """
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
"""

"The handle that `f(out)` makes; T is its type. The caller releases it."
function owned(f, T)
    out = Ref{Ptr{T}}(C_NULL)
    Tenon.check(f(out))
    return out[]
end

"The text that `f(object, out)` answers."
function text(f, object)
    out = Ref{Ptr{UInt8}}(C_NULL)
    Tenon.check(f(object, out))
    return unsafe_string(out[])
end

# Julia's arrays are in Fortran order: reversing the shape makes the same memory C-ordered.
array(device, data::Array{Float32}) = owned(R.tenon_array) do out
    shape = collect(Int64, reverse(size(data)))
    R.tenon_array_from_host(device, R.TENON_FLOAT32, length(shape), shape, data, sizeof(data), C_NULL, out)
end

function values!(data, array)
    Tenon.check(R.tenon_array_to_host(array, data, sizeof(data), C_NULL))
    return data
end

function kernel(device, source, name)
    text = [Base.unsafe_convert(Ptr{UInt8}, name)]
    GC.@preserve name text begin
        options = Ref(make(R.tenon_program_options; kernels = pointer(text), kernel_count = 1))
        program = owned(R.tenon_program) do out
            R.tenon_program_create(device, source, sizeof(source), options, out)
        end
    end
    found = owned(out -> R.tenon_program_kernel(program, name, out), R.tenon_kernel)
    R.tenon_program_release(program)
    return found
end

argument(array::Ptr{R.tenon_array}) = make(R.tenon_arg; kind = R.TENON_ARG_ARRAY, value = pack(R.tenon_arg_value, array))
argument(dtype, x) =
    make(R.tenon_arg; kind = R.TENON_ARG_SCALAR, dtype = dtype, size = sizeof(x), value = pack(R.tenon_arg_value, x))

# y = a x + y with a kernel from a string; all numbers are small integers, so the result is exact.
function saxpy(device)
    n = 1_000_003
    x, y = Float32.((1:n) .% 1000), Float32.((1:n) .% 7)
    dx, dy = array(device, x), array(device, y)
    saxpy_kernel = kernel(device, SAXPY, "saxpy")
    launch = Ref(make(R.tenon_launch; grid = (cld(n, 256), 1, 1), block = (256, 1, 1)))
    arguments = [argument(R.TENON_FLOAT32, 2f0), argument(dx), argument(dy), argument(R.TENON_INT32, Int32(n))]
    Tenon.check(R.tenon_kernel_launch(saxpy_kernel, launch, arguments, length(arguments), C_NULL))
    wrong = count(values!(similar(y), dy) .!= 2f0 .* x .+ y)
    R.tenon_kernel_release(saxpy_kernel)
    foreach(R.tenon_array_release, (dx, dy))
    wrong == 0 || error("saxpy: $wrong of $n elements are wrong")
    println("saxpy from a CUDA C string: $n elements, all exact")
end

# c = a b against the same product in double precision. In C order Tenon sees the transposes: c' = b' a'.
function gemm(device)
    m, k, n = 65, 130, 33
    a = Float32[(37i + 11j) % 101 / 101 - 0.5 for i in 1:m, j in 1:k]
    b = Float32[(53i + 29j) % 97 / 97 - 0.5 for i in 1:k, j in 1:n]
    c = fill(NaN32, m, n)
    da, db, dc = array(device, a), array(device, b), array(device, c)
    Tenon.check(R.tenon_gemm(C_NULL, db, da, C_NULL, C_NULL, C_NULL, Ref(dc)))
    values!(c, dc)
    foreach(R.tenon_array_release, (da, db, dc))
    exact = [sum(Float64(a[i, p]) * Float64(b[p, j]) for p in 1:k) for i in 1:m, j in 1:n]
    worst, bound = maximum(abs.(c .- exact)), k * 6e-8
    worst <= bound || error("gemm: the worst error is $worst, over $bound")
    println("gemm $(m)x$k by $(k)x$n: worst error $worst, bound $bound")
end

function main(name)
    device = owned(out -> R.tenon_context_device(C_NULL, name, out), R.tenon_device)
    println(text(R.tenon_device_name, device), ": ", text(R.tenon_device_description, device), "; kernels compiled by ",
            text(R.tenon_device_toolkit, device))
    saxpy(device)
    gemm(device)
    R.tenon_device_release(device)
end

main(isempty(ARGS) ? "best" : ARGS[1])
