# Kernels, arguments, errors, and the cost of a launch.
using Test, Tenon

struct Point
    x::Float32
    weight::Int32
end

const SOURCE = """
struct Point { float x; int weight; };
extern "C" __global__ void affine(float* x, float slope, float intercept, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = slope * x[i] + intercept;
}
extern "C" __global__ void sum(const float* x, double* out, Point p, bool twice, int n) {
  for (int i = 0; i < n; ++i) out[0] += x[i];
  out[0] += p.x * p.weight;
  if (twice) out[0] *= 2;
}
extern "C" __global__ void where(int* out) { out[threadIdx.x + blockDim.x * threadIdx.y] = blockIdx.z; }
"""
const PROGRAM = Tenon.Program(SOURCE, ["affine", "sum", "where"])

@testset "arguments become what the kernel takes" begin
    affine, total = Tenon.Kernel(PROGRAM, "affine"), Tenon.Kernel(PROGRAM, "sum")
    x, out = TenonArray(Float32[1, 2, 3]), Tenon.zeros(Float64, 1)
    @launch threads = 32 affine(x, 2, 1.0, 0x3)
    @test x == [3, 5, 7]
    Tenon.launch(total, x, out, Point(0.5, 4), true, 3)
    @test out == [34]
    @test_throws ArgumentError @launch affine(x, 0.1, 1, 3) # no float is 0.1
    @test_throws ArgumentError @launch affine(x, 2, 1, 2^40)
    @test_throws ArgumentError @launch affine(x, "2", 1, 3)
    @test_throws TenonError @launch affine(x, 2, 1)
    @test_throws TenonError @launch affine(TenonArray([1.0]), 2, 1, 3)
    numbers = ON_HOST ? zeros(Int32, 2, 2) : Tenon.zeros(Int32, 2, 2)
    @launch blocks = (1, 1, 2) threads = (2, 2) Tenon.Kernel(PROGRAM, "where")(numbers)
    @test all(0 .<= Array(numbers) .<= 1) && (!ON_HOST || numbers == ones(2, 2)) # both blocks write every element
    ON_HOST || @test_throws ArgumentError @launch affine(Float32[1, 2, 3], 2, 1, 3) # in Julia's memory

    call = Tenon.bind(affine, x, 2, 1, 3; threads = 32)
    call()
    call[1] = other = TenonArray(Float32[10, 20, 30])
    call[2] = 3
    call(stream = Tenon.Stream(Tenon.device()))
    @test x == [7, 11, 15] && other == [31, 61, 91]
    @test_throws BoundsError call[5] = 1
    @test_throws TenonError call[1] = TenonArray([1.0])
end

@testset "errors are TenonErrors with everything that is known" begin
    failed(f) = try
        f()
        nothing
    catch error
        error
    end
    e = failed(() -> Tenon.Kernel("__global__ void f() { missing(); }", "f"))
    @test e isa TenonError && e.status == Tenon.Raw.TENON_ERROR_COMPILE && occursin("missing", e.log)
    @test occursin("TENON_ERROR_COMPILE", sprint(showerror, e)) && occursin(e.log, sprint(showerror, e))
    e = failed(() -> Tenon.Kernel(PROGRAM, "nonsense"))
    @test e.status == Tenon.Raw.TENON_ERROR_NOT_FOUND && occursin("affine", e.message) && e.batch == -1
    @test failed(() -> Tenon.Device("cuda:99")) isa TenonError
    @test failed(() -> Tenon.Operation("elementwise/nonsense")).status == Tenon.Raw.TENON_ERROR_NOT_FOUND
    @test failed(() -> Tenon.check(Tenon.Raw.TENON_ERROR_NOT_READY)).message == "the work is not done yet"
end

@testset "a launch is inferred" begin
    kernel, x = Tenon.Kernel(PROGRAM, "affine"), TenonArray(Float32[1, 2, 3])
    launched(kernel, x) = @launch threads = 32 kernel(x, 2f0, 0f0, Int32(3))
    @test (@inferred launched(kernel, x)) === nothing && x == [2, 4, 6]
    @test (@inferred Tenon.launch(kernel, x, 2.0, 0f0, 3; threads = 32)) === nothing && x == [4, 8, 12]
end

@testset "textures and surfaces" begin
    source = """
    extern "C" __global__ void middle(cudaTextureObject_t t, float* out) { *out = tex2D<float>(t, 1.0f, 2.0f); }
    extern "C" __global__ void put(cudaSurfaceObject_t s, float value) { surf2Dwrite(value, s, 4, 0); }"""
    program = Tenon.Program(source, ["middle", "put"])
    x = TenonArray(Float32[1 10 100; 2 20 200])
    texture, out = Tenon.Texture(x; filter = :linear, surface = true), Tenon.zeros(Float32, 1)
    @launch Tenon.Kernel(program, "middle")(texture, out)
    @test out == [(10 + 20 + 100 + 200) / 4]
    @launch Tenon.Kernel(program, "put")(Tenon.Surface(texture), 7)
    @test Tenon.read!(Tenon.zeros(Float32, 2, 3), texture) == Float32[1 10 100; 7 20 200]
    Tenon.update!(texture, x)
    @test Tenon.read!(Tenon.zeros(Float32, 2, 3), Tenon.Surface(texture)) == x
    @test_throws ArgumentError Tenon.Texture(x; filter = :cubic)
    @test_throws TenonError Tenon.Texture(x; address = :wrap)
    @test_throws TenonError @launch Tenon.Kernel(program, "put")(Tenon.Surface(Tenon.Texture(x)), 7)
end
