# CUDA.jl's arrays and streams as Tenon's, and the reverse. Nothing is copied except by constructors and copyto!.
module TenonCUDAExt

using CUDA: CUDA, CuArray, CuPtr, CuStream
using Tenon
using Tenon: Raw, TenonArray

device_of(x::CuArray) = Tenon.Device(string("cuda:", CUDA.deviceid(CUDA.device(x))))
device_now() = Tenon.Device(string("cuda:", CUDA.deviceid(CUDA.device())))

"""
    Tenon.Stream(stream::CuStream = CUDA.stream())

A stream of CUDA.jl as the argument `stream` of Tenon's functions; it is kept alive as long as Tenon needs it. Work that
both packages enqueue on one stream runs in the order of the calls.
"""
Tenon.Stream(stream::CuStream; device::Tenon.Device = device_now()) =
    Tenon.Stream(device, UInt64(UInt(stream.handle)); keep = stream)

"""
    unsafe_wrap(TenonArray, x::CuArray; stream = Tenon.Stream(CUDA.stream()))

The memory of `x` as an array, which keeps `x` alive until Tenon's last use of the memory is complete. Tenon's work waits
for what the task's stream holds. For the other direction call `Tenon.use!(array)` before CUDA.jl works on `x` again, or
pass the stream to Tenon's functions.
"""
Base.unsafe_wrap(::Type{TenonArray}, x::CuArray{T,N}; stream = Tenon.Stream(CUDA.stream(); device = device_of(x))) where {T,N} =
    unsafe_wrap(TenonArray, Ptr{T}(reinterpret(UInt, pointer(x))), size(x); device = device_of(x), keep = x,
                stream = stream)

Tenon.use!(a::TenonArray, stream::CuStream; write::Bool = true) =
    Tenon.use!(a, Tenon.Stream(stream; device = a.device); write = write)

# The object that all arrays made from one array (views, reshapes) share and keep alive: CUDA.jl counts references there.
shared_by_views(x) = hasproperty(x, :data) && hasproperty(x.data, :rc) ? x.data.rc : x

"""
    unsafe_wrap(CuArray, a::TenonArray)

The memory of an array on a GPU as a `CuArray`. The task's stream waits for Tenon's work on it so far; Tenon's later work
waits for what that stream then holds. The memory is kept until the `CuArray` and those made from it are collected.
"""
function Base.unsafe_wrap(::Type{CuArray}, a::TenonArray{T,N}) where {T,N}
    a.host && throw(ArgumentError("the array is in host memory, where no CuArray can be: use CuArray(Array(a))"))
    stream = Tenon.Stream(CUDA.stream(); device = a.device)
    tensor = Ref{Ptr{Raw.DLManagedTensorVersioned}}(C_NULL)
    Tenon.check(Raw.tenon_array_to_dlpack_versioned(a, Raw.TENON_DLPACK_NEVER_COPY, stream, tensor))
    x = unsafe_wrap(CuArray, reinterpret(CuPtr{T}, UInt(Tenon.address(a))), size(a))
    held = tensor[]
    finalizer(shared_by_views(x)) do _
        Tenon.delete_tensor(held)
        Tenon.free(stream)
    end
    return x
end

# Copies on the device, in the order of the task's stream.

function Base.copyto!(destination::TenonArray{T,N}, source::CuArray{T,N}) where {T,N}
    size(destination) == size(source) ||
        throw(DimensionMismatch("a CuArray of size $(size(source)) does not fit into an array of size $(size(destination))"))
    stream = Tenon.Stream(CUDA.stream(); device = device_of(source))
    from = unsafe_wrap(TenonArray, source; stream = stream)
    Tenon.check(Raw.tenon_array_copy(destination, from, stream))
    return destination
end

function Base.copyto!(destination::CuArray{T,N}, source::TenonArray{T,N}) where {T,N}
    size(destination) == size(source) ||
        throw(DimensionMismatch("an array of size $(size(source)) does not fit into a CuArray of size $(size(destination))"))
    stream = Tenon.Stream(CUDA.stream(); device = device_of(destination))
    into = unsafe_wrap(TenonArray, destination; stream = stream)
    Tenon.check(Raw.tenon_array_copy(into, source, stream))
    return destination
end

Tenon.TenonArray{T,N}(source::CuArray{T,N}; device::Tenon.Device = device_of(source)) where {T,N} =
    copyto!(TenonArray{T,N}(undef, size(source); device = device), source)
CUDA.CuArray{T,N}(source::TenonArray{T,N}) where {T,N} = copyto!(CuArray{T,N}(undef, size(source)), source)
CUDA.CuArray(source::TenonArray{T,N}) where {T,N} = CuArray{T,N}(source)

end
