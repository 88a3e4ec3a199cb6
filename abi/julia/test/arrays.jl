# Arrays in Julia's order, shared memory, and lifetimes.
using Test, LinearAlgebra, Tenon

ON_HOST && @testset "an array goes through all of Tenon without moving" begin
    host = Float32[(7i + 3j) % 17 / 8 - 1 for i in 1:48, j in 1:32]
    before, where_it_is = copy(host), pointer(host)
    affine = Tenon.Kernel("""
        extern "C" __global__ void affine(float* x, float slope, float intercept, int n) {
          int i = blockIdx.x * blockDim.x + threadIdx.x;
          if (i < n) x[i] = slope * x[i] + intercept;
        }""", "affine")
    @launch elements = length(host) affine(host, 0.5, 0.25, length(host))
    @test host == 0.5f0 .* before .+ 0.25f0
    x = unsafe_wrap(TenonArray, host)
    @test x isa DenseArray{Float32,2} && pointer(x) == Tenon.address(x) == where_it_is && strides(x) == (1, 48)
    @test Array(x' * x) ≈ host' * host
    spectrum = Tenon.fft(x)
    @test sum(abs2, spectrum) ≈ length(x) * sum(abs2, x)
    @test svd(x).S ≈ svd(host).S
    values = copy(x)
    Tenon.Operation("elementwise/sigmoid")(values, x)
    @test host ≈ 1 ./ (1 .+ exp.(-Array(values)))
    @test pointer(host) == where_it_is && pointer(unsafe_wrap(Array, x)) == where_it_is
end

@testset "arrays are Julia's: order, copies, parts" begin
    host = reshape(collect(1.0:60), 5, 4, 3)
    x = TenonArray(host)
    @test x == host && Array(x) == host && Array(copy(x)) == host && collect(x) == host
    if ON_HOST
        @test x[2, 3, 1] == host[2, 3, 1] && x[7] == host[7]
    else # one element at a time would cost a copy each
        @test_throws ArgumentError x[7]
        @test_throws ArgumentError x[7] = 1
        @test_throws ArgumentError pointer(x)
    end
    @test_throws BoundsError x[61]
    @test Array(x[2:4, 3, :]) == host[2:4, 3, :] && Array(x[5:-2:1, :, 3:-1:2]) == host[5:-2:1, :, 3:-1:2]
    @test Array(x[:]) == host[:] && Array(x[3:50]) == host[3:50] && Array(x[2, :, 1:1]) == host[2, :, 1:1]
    @test x[2:1, 1, 1] isa TenonVector && isempty(x[2:1, 1, 1])
    @test Array(reshape(x, 20, 3)) == reshape(host, 20, 3) && Tenon.address(vec(x)) == Tenon.address(x)
    @test_throws DimensionMismatch reshape(x, 7, 7)
    y = similar(x, Int32, 3)
    copyto!(y, [1, 2, 3])
    @test y isa TenonVector{Int32} && y == [1, 2, 3]
    fill!(view(y, 2:2), 7)
    fill!(view(y, 3:3), 9)
    ON_HOST && (y[2] = 7)
    @test y == [1, 7, 9] && sprint(show, y) == "Int32[1, 7, 9]"
    @test TenonArray(1:3) == 1:3 && TenonArray{Float32}(Bool[1, 0]) == [1, 0]
    a = TenonArray([1.0+2im 3; 4im 5])
    @test Array(a') == Array(a)' && Array(transpose(a)) == transpose(Array(a)) && Array(copy(a')) == Array(a)'
    @test Tenon.zeros(Int, 2, 2) == [0 0; 0 0] && Tenon.ones(Float16, 2) == [1, 1] && all(Tenon.fill(true, 2))
    @test_throws ArgumentError TenonArray(["text"])
    @test_throws InexactError fill!(y, 0.5)
    @test isempty(TenonArray(Float64[])) && sum(TenonArray(Float64[])) == 0
end

@testset "memory is lent, kept, and given back without Julia's help" begin
    root_of(a) = WeakRef(a.root.object)
    lend() = (a = unsafe_wrap(TenonArray, Base.fill(3.0, 1000)); a)
    function lent_out() # a reference that only the library holds
        a = lend()
        Tenon.Raw.tenon_array_retain(a)
        return a.handle, root_of(a)
    end
    handle, memory = lent_out()
    GC.gc(); GC.gc()
    @test memory.value !== nothing && Tenon.reclaim() == 1
    # The last reference is released on a foreign thread.
    thread = Ref(Culong(0))
    @test 0 == ccall(:pthread_create, Cint, (Ptr{Culong}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), thread, C_NULL,
                     Tenon.Raw.ADDRESSES[findfirst(==(:tenon_array_release), Tenon.Raw.NAMES)], handle)
    @test 0 == ccall(:pthread_join, Cint, (Culong, Ptr{Ptr{Cvoid}}), thread[], Ref(C_NULL))
    @test Tenon.reclaim() == 0
    GC.gc()
    @test memory.value === nothing
    dropped() = root_of(lend())
    memory = dropped()
    GC.gc(); GC.gc(); Tenon.reclaim(); GC.gc()
    @test memory.value === nothing
    cpu = Tenon.Device("cpu")
    share() = unsafe_wrap(Array, reshape(TenonArray(collect(1.0:6); device = cpu), 2, 3))
    shared = share()
    GC.gc(); GC.gc()
    @test shared == reshape(1.0:6, 2, 3)
    for _ in 1:20_000
        unsafe_wrap(TenonArray, shared)
    end
    GC.gc(); GC.gc()
    @test Tenon.reclaim() == 0
    @test_throws TenonError unsafe_wrap(TenonArray, Ptr{Float64}(-8), (10,); device = cpu) # ends beyond the last address
end

@testset "memory that Julia's garbage holds is collected and asked for again" begin
    name = Tenon.text(Tenon.Raw.tenon_device_name, DEVICE)
    device = Tenon.Device(name, Tenon.Context(memory_limit_bytes = 2^24))
    taken() = (TenonArray{UInt8}(undef, 9 * 2^20; device = device); nothing)
    for _ in 1:20 # each takes more than half of the limit, and only the collector frees them
        taken()
    end
    kept = TenonArray{UInt8}(undef, 9 * 2^20; device = device)
    error = try
        TenonArray{UInt8}(undef, 9 * 2^20; device = device)
    catch e
        e
    end
    @test error isa TenonError && error.status == Tenon.Raw.TENON_ERROR_OUT_OF_MEMORY
    Tenon.unsafe_free!(kept)
    @test length(TenonArray{UInt8}(undef, 9 * 2^20; device = device)) == 9 * 2^20
end

ON_HOST || @testset "another owner's memory on the GPU is used in place, and kept" begin
    function lend(owner)
        return unsafe_wrap(TenonArray, Tenon.address(owner), size(owner); keep = owner, stream = Tenon.Stream(DEVICE))
    end
    dropped() = (owner = TenonArray(Float32[1, 2, 3]); (lend(owner), WeakRef(owner)))
    lent, owner = dropped()
    GC.gc(); GC.gc()
    lent .*= 2
    @test owner.value !== nothing && lent == [2, 4, 6] && owner.value == [2, 4, 6]
    @test_throws ArgumentError unsafe_wrap(Array, lent)
end

@testset "arrays move between the devices" begin
    cpu = Tenon.Device("cpu")
    x = TenonArray(Float32[1 2; 3 4])
    y = TenonArray(x; device = cpu)
    @test y.host && y == x && x == y && isequal(y, Array(x)) && y != x .+ 1
    y .*= 3
    @test copyto!(x, y) === x && x == Float32[3 6; 9 12] && Array(x') == y'
end

@testset "the library is named by the environment, a preference, or its place" begin
    mktempdir() do folder
        write(joinpath(folder, "LocalPreferences.toml"),
              "[Other]\nlibrary = \"no\"\n\n[Tenon] # here\nlibrary = '/a/b.so' \n")
        @test Tenon.preferred(joinpath(folder, "Project.toml")) == "/a/b.so"
        @test Tenon.preferred(nothing) == "" && Tenon.preferred("/nowhere/Project.toml") == ""
        package = mkpath(joinpath(folder, "share/tenon/julia/Tenon"))
        @test Tenon.installed(package) == ""
        write(joinpath(mkpath(joinpath(folder, "lib")), Tenon.NAME), "")
        @test Tenon.installed(package) == joinpath(folder, "lib", Tenon.NAME)
        @test withenv(Tenon.library_path, "TENON_LIBRARY" => "/x.so") == "/x.so"
    end
end
