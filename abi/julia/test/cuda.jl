# The extension for CUDA.jl, with a small module of the same names on the driver: model/CUDA.jl. It needs a CUDA device.
using Test, Tenon

pushfirst!(LOAD_PATH, joinpath(@__DIR__, "model"))
using CUDA
isdefined(Main, :TenonCUDAExt) || include(joinpath(@__DIR__, "..", "ext", "TenonCUDAExt.jl"))
popfirst!(LOAD_PATH)

collected() = (GC.gc(); GC.gc(); Tenon.synchronize(Tenon.Device("cuda:0")); Tenon.reclaim(); GC.gc(); GC.gc())

@testset "a CuArray is shared with Tenon, in the order of the task's stream" begin
    host = Float32[1 2 3; 4 5 6]
    x, y = CuArray(host), CuArray(2 .* host)
    a = unsafe_wrap(TenonArray, x)
    @test Tenon.address(a) == Ptr{Float32}(UInt(pointer(x))) && size(a) == size(x) && Array(a) == host
    @test !a.host && occursin("cuda:0", sprint(show, a.device))
    copyto!(x, y) # work of the owner, after which Tenon has to read
    b = unsafe_wrap(TenonArray, x)
    @test Array(b) == 2 .* host
    stream = Tenon.Stream(CUDA.stream())
    back = Ref{UInt64}(0)
    Tenon.check(Tenon.Raw.tenon_stream_native(stream, back))
    @test back[] == UInt(CUDA.stream().handle)
    Tenon.check(Tenon.Raw.tenon_array_copy(b, TenonArray(host; device = b.device), C_NULL))
    Tenon.use!(b, CUDA.stream(); write = false)
    @test Array(x) == host # ordered behind Tenon's copy on another stream
    other = fetch(@async (CUDA.stream(), Array(unsafe_wrap(TenonArray, x))))
    @test other[1] !== CUDA.stream() && other[2] == host
end

@testset "a TenonArray is shared with CUDA.jl" begin
    host = Float64[1 2; 3 4; 5 6]
    a = TenonArray(host; device = Tenon.Device("cuda:0"))
    x = unsafe_wrap(CuArray, a)
    @test x isa CuArray{Float64,2} && UInt(pointer(x)) == UInt(Tenon.address(a)) && Array(x) == host
    copyto!(x, CuArray(10 .* host))
    @test Array(a) == 10 .* host # Tenon waits for the task's stream
    @test_throws ArgumentError unsafe_wrap(CuArray, TenonArray(host; device = Tenon.Device("cpu")))
end

@testset "copies stay on the device" begin
    host = Int32[1, 2, 3]
    x = CuArray(host)
    a = TenonArray(x)
    @test a isa TenonVector{Int32} && !a.host && Array(a) == host && Tenon.address(a) != Ptr{Int32}(UInt(pointer(x)))
    @test CuArray(a) isa CuArray{Int32,1} && Array(CuArray(a)) == host
    @test Array(TenonArray(x; device = Tenon.Device("cpu"))) == host
    @test_throws DimensionMismatch copyto!(a, CuArray(Int32[1]))
    @test_throws DimensionMismatch copyto!(CuArray(Int32[1]), a)
end

@testset "each side keeps the other's memory" begin
    collected()
    freed = CUDA.FREED[]
    lent() = unsafe_wrap(TenonArray, CuArray(Float32[1, 2, 3]))
    held() = (a = lent(); collected(); @test(Array(a) == [1, 2, 3]); @test(CUDA.FREED[] == freed); nothing)
    held()
    collected()
    @test CUDA.FREED[] == freed + 1

    only_the_library() = (a = lent(); Tenon.Raw.tenon_array_retain(a); a.handle)
    handle = only_the_library()
    collected()
    @test CUDA.FREED[] == freed + 1 # although array and owner became garbage together
    Tenon.Raw.tenon_array_release(handle)
    collected()
    @test CUDA.FREED[] == freed + 2

    used(device) = (info = Ref(Tenon.Raw.make(Tenon.Raw.tenon_memory_info));
                    Tenon.check(Tenon.Raw.tenon_device_get_memory_info(device, info)); info[].used)
    device = Tenon.Device("cuda:0")
    before = used(device)
    shared() = reshape(unsafe_wrap(CuArray, TenonArray(Base.fill(3f0, 1000, 1000); device = device)), (10^6,))
    held() = (x = shared(); collected(); @test(used(device) >= before + 4 * 10^6); @test(Array(x) == Base.fill(3f0, 10^6)); nothing)
    held()
    collected()
    @test used(device) == before
end
