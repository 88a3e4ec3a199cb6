# Arrays. Julia's first axis varies fastest, in C the last one does; so the handle of an array of size (m, n) has the
# shape (n, m) in C order. The memory is the same and nothing is copied. The library's broadcasting, which aligns the
# last axes as in NumPy, is thus Julia's, which aligns the first axes.

const DTYPES = (Bool => Raw.TENON_BOOL, Int8 => Raw.TENON_INT8, Int16 => Raw.TENON_INT16, Int32 => Raw.TENON_INT32,
                Int64 => Raw.TENON_INT64, UInt8 => Raw.TENON_UINT8, UInt16 => Raw.TENON_UINT16,
                UInt32 => Raw.TENON_UINT32, UInt64 => Raw.TENON_UINT64, Float16 => Raw.TENON_FLOAT16,
                Float32 => Raw.TENON_FLOAT32, Float64 => Raw.TENON_FLOAT64, Complex{Float16} => Raw.TENON_COMPLEX32,
                ComplexF32 => Raw.TENON_COMPLEX64, ComplexF64 => Raw.TENON_COMPLEX128)

"""
    Tenon.dtype(T)

The library's code for the element type `T`. A package that defines another 8-bit or 16-bit type adds a method:
`Tenon.dtype(::Type{BFloat16}) = Tenon.Raw.TENON_BFLOAT16`.
"""
dtype(::Type{T}) where {T} =
    throw(ArgumentError("arrays of $T cannot be shared: the element types are $(join(first.(DTYPES), ", "))"))
for (type, code) in DTYPES
    @eval dtype(::Type{$type}) = $code
end

function type_of(code)
    for (type, dtype) in DTYPES
        dtype == code && return type
    end
    name = unsafe_string(Raw.tenon_dtype_name(code))
    throw(ArgumentError("an array of $name has no element type in Julia; convert it with tenon_array_convert first"))
end

"""
    TenonArray{T}(undef, dims...; device = Tenon.device())
    TenonArray(array; device = Tenon.device())            # a copy
    unsafe_wrap(TenonArray, array)                        # the same memory

An array in a device's memory, in Julia's order. In host memory it is an ordinary `DenseArray`. Elements in a GPU's
memory cannot be accessed one by one: use functions on whole arrays, or `Array(x)`.
"""
mutable struct TenonArray{T,N} <: DenseArray{T,N}
    handle::Ptr{Raw.tenon_array}
    data::Ptr{T}
    dims::NTuple{N,Int}
    host::Bool
    device::Device
    root::Any # another object that must stay alive as long as the memory
    TenonArray{T,N}(handle, data, dims, host, device, root) where {T,N} =
        finalizer(unsafe_free!, new{T,N}(handle, data, dims, host, device, root))
end

const TenonVector{T} = TenonArray{T,1}
const TenonMatrix{T} = TenonArray{T,2}
const TenonVecOrMat{T} = Union{TenonVector{T},TenonMatrix{T}}

Base.unsafe_convert(::Type{Ptr{Raw.tenon_array}}, a::TenonArray) = a.handle

"Releases the memory now instead of when the array is collected. The array must not be used afterwards."
function unsafe_free!(a::TenonArray)
    Raw.tenon_array_release(a.handle)
    a.handle, a.data = C_NULL, C_NULL
    return nothing
end

function info(handle::Union{TenonArray,Ptr{Raw.tenon_array}})
    found = Ref(Raw.make(Raw.tenon_array_info))
    check(Raw.tenon_array_get_info(handle, found))
    return found[]
end

"Takes ownership of the handle of a C-ordered array; `root` stays alive as long as the result."
function adopt(::Type{TenonArray{T,N}}, handle, device::Device, root = nothing) where {T,N}
    about = info(handle)
    if about.dtype != dtype(T) || about.rank != N || about.flags & Raw.TENON_ARRAY_C_CONTIGUOUS == 0
        Raw.tenon_array_release(handle)
        throw(ArgumentError("the array is no dense array of $T with $N axes"))
    end
    dims = ntuple(i -> Int(unsafe_load(about.shape, N - i + 1)), Val(N))
    host = about.device_kind == Raw.TENON_DEVICE_CPU
    return TenonArray{T,N}(handle, Ptr{T}(about.data), dims, host, device, root)
end

"The same for an array created by the library, whose type is only known at run time."
function adopt(handle::Ptr{Raw.tenon_array}, device::Device)
    about = info(handle)
    return adopt(TenonArray{type_of(about.dtype),Int(about.rank)}, handle, device)
end

shape_of(dims) = Int64[dims[i] for i in length(dims):-1:1]

function TenonArray{T,N}(::UndefInitializer, dims::NTuple{N,Int}; device::Device = device(),
                         stream::Streamed = C_NULL) where {T,N}
    reclaim()
    shape, code = shape_of(dims), dtype(T)
    handle = made(out -> Raw.tenon_array_create(device, code, N, shape, stream, out), Raw.tenon_array)
    return adopt(TenonArray{T,N}, handle, device)
end

TenonArray{T}(::UndefInitializer, dims::NTuple{N,Integer}; options...) where {T,N} =
    TenonArray{T,N}(undef, map(Int, dims); options...)
TenonArray{T}(::UndefInitializer, dims::Integer...; options...) where {T} = TenonArray{T}(undef, dims; options...)
TenonArray{T,N}(::UndefInitializer, dims::Integer...; options...) where {T,N} =
    TenonArray{T,N}(undef, map(Int, dims); options...)

TenonArray{T,N}(source::AbstractArray{<:Any,N}; device::Device = device()) where {T,N} =
    copyto!(TenonArray{T,N}(undef, size(source); device = device), source)
TenonArray{T}(source::AbstractArray{<:Any,N}; options...) where {T,N} = TenonArray{T,N}(source; options...)
TenonArray(source::AbstractArray{T,N}; options...) where {T,N} = TenonArray{T,N}(source; options...)

"Arrays on a device, filled with zeros, with ones, or with a value."
zeros(::Type{T}, dims::Integer...; options...) where {T} = fill!(TenonArray{T}(undef, dims; options...), zero(T))
ones(::Type{T}, dims::Integer...; options...) where {T} = fill!(TenonArray{T}(undef, dims; options...), one(T))
fill(x::T, dims::Integer...; options...) where {T} = fill!(TenonArray{T}(undef, dims; options...), x)

Base.size(a::TenonArray) = a.dims
Base.length(a::TenonArray) = prod(a.dims)
Base.strides(a::TenonArray) = Base.size_to_strides(1, a.dims...)
Base.strides(a::TenonArray{<:Any,0}) = ()
Base.elsize(::Type{<:TenonArray{T}}) where {T} = sizeof(T)
Base.IndexStyle(::Type{<:TenonArray}) = IndexLinear()
Base.dataids(a::TenonArray) = (UInt(a.data),)
Base.similar(a::TenonArray, ::Type{T}, dims::Dims{N}) where {T,N} = TenonArray{T,N}(undef, dims; device = a.device)

"The address of the first element, in the device's memory."
address(a::TenonArray) = a.data

@noinline scalar_access(a) = throw(ArgumentError(
    "the elements are in the memory of $(text(Raw.tenon_device_name, a.device)) and cannot be read or written one by " *
    "one: use functions of whole arrays, or copy them with Array(x)"))

function Base.unsafe_convert(::Type{Ptr{T}}, a::TenonArray{T}) where {T}
    a.host || scalar_access(a)
    return a.data
end

Base.@propagate_inbounds function Base.getindex(a::TenonArray, i::Int)
    @boundscheck checkbounds(a, i)
    a.host || scalar_access(a)
    return GC.@preserve a unsafe_load(a.data, i)
end

Base.@propagate_inbounds function Base.setindex!(a::TenonArray{T}, x, i::Int) where {T}
    @boundscheck checkbounds(a, i)
    a.host || scalar_access(a)
    GC.@preserve a unsafe_store!(a.data, convert(T, x), i)
    return a
end

function Base.reshape(a::TenonArray{T}, dims::NTuple{N,Int}) where {T,N}
    prod(dims) == length(a) || throw(DimensionMismatch("an array of size $(size(a)) has no shape $dims"))
    shape = shape_of(dims)
    handle = made(out -> Raw.tenon_array_reshape(a, N, shape, out), Raw.tenon_array)
    return adopt(TenonArray{T,N}, handle, a.device, a.root)
end

# Parts and transposes, as handles with strides. The caller must release the result of `strided`.

const Slices = Tuple{Vararg{Union{Int,AbstractRange{<:Integer},Base.Slice}}}
const Part{T,N} = SubArray{T,N,<:TenonArray{T},<:Slices}
const Turned{T} = Union{Adjoint{T,<:TenonVecOrMat{T}},Transpose{T,<:TenonVecOrMat{T}}}
const Strided{T} = Union{TenonArray{T},Part{T},Turned{T}}

"The `TenonArray` that owns the memory."
origin(a::TenonArray) = a
origin(a::Union{Part,Turned}) = parent(a)

function strided(a::TenonArray)
    check(Raw.tenon_array_retain(a))
    return a.handle
end

# For complex numbers this is the transpose: callers that need the adjoint conjugate it themselves.
function strided(a::Turned)
    rows, columns = size(a)
    parent(a) isa TenonVector && # a row has size (1, n), which is (n, 1) in C
        return made(out -> Raw.tenon_array_reshape(parent(a), 2, Int64[columns, rows], out), Raw.tenon_array)
    return made(out -> Raw.tenon_array_transpose(parent(a), 2, C_NULL, out), Raw.tenon_array)
end

function strided(a::Part)
    whole, picked = parent(a), reverse(parentindices(a))
    starts, stops, steps = Int64[], Int64[], Int64[]
    for index in picked
        first_of, last_of, step_of = bounds(index)
        push!(starts, first_of - 1)
        push!(steps, step_of)
        push!(stops, step_of > 0 ? last_of : last_of < 2 ? typemin(Int64) : last_of - 2)
    end
    handle = made(out -> Raw.tenon_array_slice(whole, length(picked), starts, stops, steps, out), Raw.tenon_array)
    for axis in length(picked):-1:1
        picked[axis] isa Int || continue
        handle = without_axis(handle, axis - 1)
    end
    return handle
end

function without_axis(handle, axis)
    try
        return made(out -> Raw.tenon_array_index(handle, axis, 0, out), Raw.tenon_array)
    finally
        Raw.tenon_array_release(handle)
    end
end

bounds(i::Int) = (i, i, 1)
bounds(r::Base.Slice) = (1, length(r), 1)
bounds(r::AbstractRange) = isempty(r) ? (1, 0, 1) : (first(r), last(r), step(r))

"Calls `f` with the handles that `make` creates for the arrays, and then releases them."
function with_handles(f, make, arrays...)
    GC.@preserve arrays begin
        handles = Ptr{Raw.tenon_array}[]
        try
            foreach(a -> push!(handles, make(a)), arrays)
            return f(handles...)
        finally
            foreach(Raw.tenon_array_release, handles)
        end
    end
end
with_strided(f, arrays...) = with_handles(f, strided, arrays...)

# Copies.

function transfer(source::Strided, destination::Strided)
    with_strided((from, to) -> check(retried(() -> Raw.tenon_array_copy(to, from, C_NULL))), source, destination)
    return destination
end

conjugated(a::Adjoint{<:Complex}) = conj!(copyto!(similar(parent(a), size(a)), transpose(parent(a))))
conjugated(a) = a

Base.copyto!(destination::TenonArray, source::AbstractArray) = copy_into!(destination, source)
Base.copyto!(destination::Part, source::AbstractArray) = copy_into!(destination, source)

function copy_into!(destination, source::Strided)
    size(destination) == size(source) && return transfer(conjugated(source), destination)
    copy_into!(beginning(destination, source), vec(copy(source)))
    return destination
end

function copy_into!(destination::TenonArray{T,N}, source::Array{T,N}) where {T,N}
    size(destination) == size(source) || return copy_into!(destination, TenonArray(source; device = destination.device))
    check(Raw.tenon_array_set_from_host(destination, source, sizeof(source), C_NULL))
    return destination
end

# Any other array is first copied to a Julia `Array`, and via the device if the destination is not contiguous.
function copy_into!(destination, source::AbstractArray)
    staged = convert(Array{eltype(destination)}, source isa Array ? source : collect(source))
    destination isa TenonArray && size(destination) == size(staged) && return copy_into!(destination, staged)
    return copy_into!(destination, TenonArray(staged; device = origin(destination).device))
end

"The first elements of `destination`, as many as `source` has, as a vector."
function beginning(destination, source)
    length(source) <= length(destination) || throw(BoundsError(destination, length(source)))
    return view(vec(destination), 1:length(source))
end

function Base.copyto!(destination::Array{T,N}, source::TenonArray{T,N}) where {T,N}
    size(destination) == size(source) || return copyto!(destination, vec(Array(source)))
    check(Raw.tenon_array_to_host(source, destination, sizeof(destination), C_NULL))
    return destination
end

Base.copyto!(destination::Array, source::Strided) = copyto!(destination, Array(source))
Base.Array{T,N}(a::TenonArray{T,N}) where {T,N} = copyto!(Array{T,N}(undef, size(a)), a)
Base.Array(a::Strided) = Array(copy(a))
Base.Array(a::TenonArray{T,N}) where {T,N} = Array{T,N}(a)
Base.collect(a::Strided) = Array(a)

Base.copy(a::TenonArray) = transfer(a, similar(a))
Base.copy(a::Part) = transfer(a, similar(parent(a), size(a)))
Base.copy(a::Turned) = transfer(conjugated(a), similar(parent(a), size(a)))

function Base.fill!(a::Union{TenonArray{T},Part{T}}, x) where {T}
    value = Ref(scalar(convert(T, x)))
    with_strided(handle -> check(Raw.tenon_array_fill(handle, value, C_NULL)), a)
    return a
end

# Indexing with ranges gives arrays on the same device; Julia's fallback would copy element by element to the host.
Base.getindex(a::TenonArray, indices::Union{Int,Colon,AbstractRange{<:Integer}}...) = part(a, indices)
part(a::TenonArray, indices::Tuple{Vararg{Int}}) =
    Base.@inbounds(length(indices) == 1 ? a[indices[1]] : a[LinearIndices(a)[indices...]])
part(a::TenonArray, indices::Tuple) = copy(view(a, indices...))

# Julia's own comparisons read one element after another: what is in a GPU's memory is copied first.
readable(a) = a
readable(a::Strided) = origin(a).host ? a : Array(a)
for (A, B) in ((:TenonArray, :TenonArray), (:TenonArray, :AbstractArray), (:AbstractArray, :TenonArray))
    for equal in (:(==), :isequal)
        @eval Base.$equal(a::$A, b::$B) = invoke($equal, Tuple{AbstractArray,AbstractArray}, readable(a), readable(b))
    end
end

Base.print_array(io::IO, a::TenonArray) = Base.print_array(io, Array(a))
Base.show(io::IO, a::TenonArray) = show(io, Array(a))

# Memory shared with Julia.

"""
    unsafe_wrap(TenonArray, array::Array)

The memory of `array` as an array of the CPU device. Julia does not collect it before the library has released it.
"""
Base.unsafe_wrap(::Type{TenonArray}, array::Array{T,N}) where {T,N} =
    unsafe_wrap(TenonArray, pointer(array), size(array); keep = array, device = host())

"""
    unsafe_wrap(TenonArray, pointer, dims; device = Tenon.device(), keep = nothing, stream = C_NULL)

Memory of a device with another owner, such as another package's GPU array (`keep = x`, which then stays alive as long
as the library needs it). `stream` is the stream on which the owner's work on it is enqueued.
"""
function Base.unsafe_wrap(::Type{TenonArray}, data::Ptr{T}, dims::NTuple{N,<:Integer}; device::Device = device(),
                          keep = nothing, stream::Streamed = C_NULL) where {T,N}
    reclaim()
    shape, code, root = shape_of(dims), dtype(T), Root(keep)
    buffer = Ref{Ptr{Raw.tenon_buffer}}(C_NULL)
    status = Raw.tenon_buffer_wrap(device, data, prod(dims) * sizeof(T), Raw.TENON_MEMORY_DEVICE, 0, stream,
                                   destroy_function(), root.semaphore, buffer)
    status == Raw.TENON_OK || forget(root) # a failed call does not take ownership
    check(status)
    keep_alive(root)
    try
        handle = made(out -> Raw.tenon_array_from_buffer(buffer[], code, N, shape, C_NULL, 0, out), Raw.tenon_array)
        return adopt(TenonArray{T,N}, handle, device, root)
    finally
        Raw.tenon_buffer_release(buffer[])
    end
end

# The object that keeps the memory of a Julia array alive.
owner_of(array::Array) = VERSION >= v"1.11" ? getfield(array, :ref).mem : array

"""
    unsafe_wrap(Array, a::TenonArray)

The elements of an array in host memory as an `Array`, which keeps that memory alive.
"""
function Base.unsafe_wrap(::Type{Array}, a::TenonArray{T,N}) where {T,N}
    array = unsafe_wrap(Array, pointer(a), size(a))
    finalizer(_ -> (a.handle; nothing), owner_of(array))
    return array
end

"""
    Tenon.use!(a, stream = C_NULL; write = true)

Declares work of another library on the array's memory, which is enqueued on the stream right after this call: it is
ordered behind the library's work so far, and the library's later work behind it. `write = false`: it only reads.
"""
function use!(a::TenonArray, stream::Streamed = C_NULL; write::Bool = true)
    check(Raw.tenon_array_use(a, write ? Raw.TENON_ACCESS_WRITE : Raw.TENON_ACCESS_READ, stream))
    return a
end

# DLPack's versioned struct begins with two versions and the manager's context; then comes the deleter.
function delete_tensor(tensor::Ptr{Raw.DLManagedTensorVersioned})
    deleter = unsafe_load(Ptr{Ptr{Cvoid}}(tensor), 3)
    deleter == C_NULL || ccall(deleter, Cvoid, (Ptr{Cvoid},), tensor)
    return nothing
end
