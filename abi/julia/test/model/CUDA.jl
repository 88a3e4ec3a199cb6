# What the extension uses of CUDA.jl, with the same names, fields and meaning, on the driver's own functions: arrays with
# counted storage that views share, and a stream per task. CUDA.jl itself needs a newer Julia and its registry.
module CUDA

export CuArray, CuPtr, CuStream

const driver = "libcuda.so.1"

macro check(call)
    return quote
        code = $(esc(call))
        code == 0 || error("the driver returned ", code, " for ", $(string(call)))
    end
end

primitive type CuPtr{T} 64 end
Base.UInt(p::CuPtr) = reinterpret(UInt, p)
Base.:+(p::CuPtr{T}, bytes::Integer) where {T} = reinterpret(CuPtr{T}, UInt(p) + UInt(bytes))

struct CuDevice
    handle::Cint
end
deviceid(device::CuDevice) = Int(device.handle)
device() = CuDevice(0)

const primary = Ref{Ptr{Cvoid}}(C_NULL)
function context!()
    if primary[] == C_NULL
        @check ccall((:cuInit, driver), Cint, (Cuint,), 0)
        @check ccall((:cuDevicePrimaryCtxRetain, driver), Cint, (Ptr{Ptr{Cvoid}}, Cint), primary, 0)
    end
    current = Ref{Ptr{Cvoid}}(C_NULL)
    @check ccall((:cuCtxGetCurrent, driver), Cint, (Ptr{Ptr{Cvoid}},), current)
    current[] == primary[] || @check ccall((:cuCtxPushCurrent_v2, driver), Cint, (Ptr{Cvoid},), primary[])
end

mutable struct CuStream
    handle::Ptr{Cvoid}
    function CuStream()
        context!()
        made = Ref{Ptr{Cvoid}}(C_NULL)
        @check ccall((:cuStreamCreate, driver), Cint, (Ptr{Ptr{Cvoid}}, Cuint), made, 1) # non-blocking
        return new(made[])
    end
end
stream() = get!(CuStream, task_local_storage(), :CuStream)::CuStream
synchronize(s = stream()) = @check ccall((:cuStreamSynchronize, driver), Cint, (Ptr{Cvoid},), s.handle)

mutable struct RefCounted
    obj::CuPtr{Nothing}
    finalizer::Any
    count::Threads.Atomic{Int}
end
mutable struct DataRef
    rc::RefCounted
    freed::Bool
end
function release(ref::DataRef)
    ref.freed && return nothing
    ref.freed = true
    Threads.atomic_sub!(ref.rc.count, 1) == 1 && ref.rc.finalizer !== nothing && ref.rc.finalizer(ref.rc.obj)
    return nothing
end
Base.copy(ref::DataRef) = (Threads.atomic_add!(ref.rc.count, 1); DataRef(ref.rc, false))

const FREED = Threads.Atomic{Int}(0)
function free(p)
    Threads.atomic_add!(FREED, 1)
    ccall((:cuMemFree_v2, driver), Cint, (UInt,), UInt(p))
end

mutable struct CuArray{T,N} <: DenseArray{T,N}
    data::DataRef
    offset::Int
    dims::NTuple{N,Int}
    CuArray{T,N}(data::DataRef, offset, dims) where {T,N} = finalizer(x -> release(x.data), new{T,N}(data, offset, dims))
end
function CuArray{T,N}(::UndefInitializer, dims::NTuple{N,Int}) where {T,N}
    context!()
    made = Ref{UInt}(0)
    @check ccall((:cuMemAlloc_v2, driver), Cint, (Ptr{UInt}, Csize_t), made, max(1, prod(dims) * sizeof(T)))
    return CuArray{T,N}(DataRef(RefCounted(reinterpret(CuPtr{Nothing}, made[]), free, Threads.Atomic{Int}(1)), false), 0, dims)
end
function CuArray(source::Array{T,N}) where {T,N}
    x = CuArray{T,N}(undef, size(source))
    @check ccall((:cuMemcpyHtoDAsync_v2, driver), Cint, (UInt, Ptr{T}, Csize_t, Ptr{Cvoid}), UInt(pointer(x)), source,
                 sizeof(source), stream().handle)
    synchronize()
    return x
end
function Base.Array(x::CuArray{T,N}) where {T,N}
    host = Array{T,N}(undef, x.dims)
    @check ccall((:cuMemcpyDtoHAsync_v2, driver), Cint, (Ptr{T}, UInt, Csize_t, Ptr{Cvoid}), host, UInt(pointer(x)),
                 sizeof(host), stream().handle)
    synchronize()
    return host
end
Base.size(x::CuArray) = x.dims
device(::CuArray) = device()
Base.pointer(x::CuArray{T}) where {T} = reinterpret(CuPtr{T}, x.data.rc.obj) + x.offset
Base.getindex(::CuArray, ::Int) = error("scalar indexing is disallowed")
Base.unsafe_wrap(::Type{CuArray}, p::CuPtr{T}, dims::NTuple{N,Int}; own::Bool = false) where {T,N} =
    CuArray{T,N}(DataRef(RefCounted(reinterpret(CuPtr{Nothing}, p), own ? free : nothing, Threads.Atomic{Int}(1)), false), 0, dims)
Base.reshape(x::CuArray{T}, dims::NTuple{N,Int}) where {T,N} = CuArray{T,N}(copy(x.data), x.offset, dims)

# Work on the task's stream, asynchronous like a kernel of CUDA.jl.
function Base.copyto!(x::CuArray{T,N}, y::CuArray{T,N}) where {T,N}
    @check ccall((:cuMemcpyDtoDAsync_v2, driver), Cint, (UInt, UInt, Csize_t, Ptr{Cvoid}), UInt(pointer(x)),
                 UInt(pointer(y)), prod(x.dims) * sizeof(T), stream().handle)
    return x
end

end
