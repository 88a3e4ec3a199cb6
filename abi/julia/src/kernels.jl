# Programs, kernels, launches, and the operations of packages.

# Arguments. All types here must be inferred, or a launch costs microseconds.
@inline word(x::Union{Bool,Int8,UInt8}) = UInt64(reinterpret(UInt8, x))
@inline word(x::Union{Int16,UInt16,Float16}) = UInt64(reinterpret(UInt16, x))
@inline word(x::Union{Int32,UInt32,Float32}) = UInt64(reinterpret(UInt32, x))
@inline word(x::Union{Int64,UInt64,Float64}) = reinterpret(UInt64, x)
@inline words(x) = (word(x), UInt64(0))
@inline words(x::ComplexF32) = (word(real(x)) | word(imag(x)) << 32, UInt64(0))
@inline words(x::ComplexF64) = (word(real(x)), word(imag(x)))

const Scalar = Union{Bool,Int8,Int16,Int32,Int64,UInt8,UInt16,UInt32,UInt64,Float16,Float32,Float64,ComplexF32,
                     ComplexF64}

@inline packed(kind, dtype, size, words) = Raw.tenon_arg(kind, dtype, size, Raw.tenon_arg_value(words))
@inline scalar(x::Scalar) = packed(Raw.TENON_ARG_SCALAR, dtype(typeof(x)), UInt64(sizeof(x)), words(x))
scalar(x::Complex{Float16}) = packed(Raw.TENON_ARG_SCALAR, Raw.TENON_COMPLEX32, UInt64(4),
                                     (word(real(x)) | word(imag(x)) << 16, UInt64(0)))

# The object that represents an argument during a call, and must stay alive until the call returns.
@inline held(x::Union{Scalar,TenonArray,Ptr,Texture,Surface}, host) = x
held(x::Array, host) = host ? unsafe_wrap(TenonArray, x) :
    throw(ArgumentError("the kernel runs on a GPU, and an argument is in Julia's memory: pass TenonArray(x)"))
held(x::Irrational, host) = Float64(x)
held(x::T, host) where {T} = isbitstype(T) ? Ref(x) :
    throw(ArgumentError("a kernel takes numbers, arrays, pointers and structs of plain bits, and not a $T"))

@inline argument(x::Scalar) = scalar(x)
@inline argument(x::TenonArray) = packed(Raw.TENON_ARG_ARRAY, UInt32(0), UInt64(0), (UInt64(UInt(x.handle)), UInt64(0)))
@inline argument(x::Texture) =
    packed(Raw.TENON_ARG_TEXTURE, UInt32(0), UInt64(0), (UInt64(UInt(x.handle)), UInt64(0)))
@inline argument(x::Surface) =
    packed(Raw.TENON_ARG_SURFACE, UInt32(0), UInt64(0), (UInt64(UInt(x.texture.handle)), UInt64(0)))
@inline argument(x::Ptr) = packed(Raw.TENON_ARG_POINTER, UInt32(0), UInt64(0), (UInt64(UInt(x)), UInt64(0)))
@inline argument(x::Base.RefValue{T}) where {T} =
    packed(Raw.TENON_ARG_BYTES, UInt32(0), UInt64(sizeof(T)), (UInt64(UInt(pointer_from_objref(x))), UInt64(0)))

# Tuples are processed by recursion, so that each element keeps its own type.
@inline all_held(host) = ()
@inline all_held(host, x, more::Vararg{Any,N}) where {N} = (held(x, host), all_held(host, more...)...)
@inline all_packed(pack, i) = ()
@inline all_packed(pack::P, i, x, more::Vararg{Any,N}) where {P,N} =
    (pack(i, x), all_packed(pack, i + 1, more...)...)

"Packs the arguments and keeps them alive while it calls `f(pointer, count)`. `pack(i, x)` makes argument i."
@inline function with_arguments(f::F, pack::P, host, args::Vararg{Any,N}) where {F,P,N}
    kept = all_held(host, args...)
    GC.@preserve kept begin
        list = Ref(all_packed(pack, 1, kept...))
        return GC.@preserve list f(Ptr{Raw.tenon_arg}(pointer_from_objref(list)), Int32(length(kept)))
    end
end

"Calls `f` with pointers to the texts."
function with_texts(f, texts)
    kept = String[text for text in texts]
    pointers = Ptr{UInt8}[Base.unsafe_convert(Cstring, Base.cconvert(Cstring, text)) for text in kept]
    return GC.@preserve kept pointers f(isempty(kept) ? Ptr{Ptr{UInt8}}(C_NULL) : pointer(pointers))
end

"""
    Tenon.Program(source, kernels; device = Tenon.device(), options = String[], check = false, fast_math = false)

CUDA C compiled for a device; `kernels` are the names available to `Tenon.Kernel(program, name)`. `options` are passed
to the compiler. With `check`, faults and races are errors on the CPU device. Errors in the text throw a `TenonError`
with the compiler's log.
"""
function Program(source::AbstractString, kernels; device::Device = device(), options = String[], check::Bool = false,
                 fast_math::Bool = false)
    source = String(source)
    return with_texts(kernels) do names
        with_texts(options) do flags
            settings = Ref(Raw.make(Raw.tenon_program_options; kernels = names, kernel_count = Int32(length(kernels)),
                                    options = flags, option_count = Int32(length(options)),
                                    mode = check ? Raw.TENON_PROGRAM_MODE_CHECK : Raw.TENON_PROGRAM_MODE_FAST,
                                    flags = fast_math ? Raw.TENON_PROGRAM_FLAG_FAST_MATH : UInt32(0)))
            Program(made(Raw.tenon_program) do out
                Raw.tenon_program_create(device, source, sizeof(source), settings, out)
            end)
        end
    end
end

"""
    Tenon.Kernel(source, name; options...)
    Tenon.Kernel(program, name)

A kernel of a program, or a kernel compiled from a source text; the options are those of `Tenon.Program`.
"""
mutable struct Kernel
    handle::Ptr{Raw.tenon_kernel}
    name::String
    dtypes::Vector{UInt32} # for parameters that are numbers, else 0
    host::Bool
    function Kernel(program::Program, name::AbstractString)
        handle = made(out -> Raw.tenon_program_kernel(program, name, out), Raw.tenon_kernel)
        kernel = finalizer(free, new(handle, name, UInt32[], false))
        kernel.dtypes = scalar_dtypes(handle)
        kernel.host = ishost(Device(made(out -> Raw.tenon_kernel_device(handle, out), Raw.tenon_device)))
        return kernel
    end
end

Kernel(source::AbstractString, name::AbstractString; options...) = Kernel(Program(source, [name]; options...), name)
Base.unsafe_convert(::Type{Ptr{Raw.tenon_kernel}}, kernel::Kernel) = kernel.handle
Base.show(io::IO, kernel::Kernel) = print(io, "Tenon.Kernel(", kernel.name, ")")

function free(kernel::Kernel)
    Raw.tenon_kernel_release(kernel.handle)
    kernel.handle = C_NULL
    return nothing
end

function scalar_dtypes(kernel)
    count = Ref(Int32(0))
    check(Raw.tenon_kernel_parameter_count(kernel, count))
    return map(0:count[]-1) do i
        about = Ref(Raw.make(Raw.tenon_parameter_info))
        check(Raw.tenon_kernel_get_parameter_info(kernel, i, about))
        about[].kind == Raw.TENON_PARAMETER_SCALAR ? about[].dtype : UInt32(0)
    end
end

# Julia's literals are Int64 and Float64, but kernels mostly take int and float: a number is converted to the
# parameter's type if that represents it exactly.
@inline function fitted(kernel::Kernel, i, x::Scalar)
    i <= length(kernel.dtypes) || return scalar(x)
    wanted = @inbounds kernel.dtypes[i]
    (wanted == 0 || wanted == dtype(typeof(x))) && return scalar(x)
    usual = literal(wanted, x)
    return usual === nothing ? converted(kernel, i, wanted, x) : scalar(usual)
end
@inline fitted(kernel::Kernel, i, x) = argument(x)

@inline literal(wanted, x) = nothing
@inline literal(wanted, x::Int64) = wanted == Raw.TENON_INT32 && x % Int32 == x ? x % Int32 : nothing
@inline literal(wanted, x::Float64) = wanted == Raw.TENON_FLOAT32 && Float32(x) == x ? Float32(x) : nothing

@noinline function converted(kernel, i, wanted, x)::Raw.tenon_arg
    type = type_of(wanted)
    exact = try
        type === Bool && !(x isa Bool) ? nothing : convert(type, x)
    catch error
        error isa InexactError || rethrow()
        nothing
    end
    exact !== nothing && exact == x && return scalar(exact)
    throw(ArgumentError("argument $i of $(kernel.name) is $type, which does not hold $(repr(x)) exactly: convert it"))
end

@inline extents(n::Integer) = (UInt32(n), UInt32(1), UInt32(1))
@inline extents(n::Tuple{Integer}) = (UInt32(n[1]), UInt32(1), UInt32(1))
@inline extents(n::Tuple{Integer,Integer}) = (UInt32(n[1]), UInt32(n[2]), UInt32(1))
@inline extents(n::Tuple{Integer,Integer,Integer}) = (UInt32(n[1]), UInt32(n[2]), UInt32(n[3]))

const NO_CLUSTER = (UInt32(0), UInt32(0), UInt32(0))

@inline geometry(blocks, threads, shared) =
    Ref(Raw.tenon_launch(UInt32(sizeof(Raw.tenon_launch)), UInt32(0), extents(blocks), extents(threads), NO_CLUSTER,
                         UInt32(shared)))

# Enough blocks for the number of elements. With threads = nothing, the block size that suits the kernel best.
function geometry(kernel::Kernel, elements, threads, shared)
    block = threads === nothing ? (UInt32(0), UInt32(0), UInt32(0)) : extents(threads)
    launch = Ref(Raw.make(Raw.tenon_launch; block = block, shared_bytes = UInt32(shared)))
    check(Raw.tenon_launch_for(kernel, elements, launch))
    return launch
end

@inline where_to(kernel, blocks, threads, ::Nothing, shared) = geometry(blocks, something(threads, 1), shared)
@inline where_to(kernel, blocks, threads, elements, shared) = geometry(kernel, elements, threads, shared)

@inline function launch_at(kernel::Kernel, blocks, threads, elements, shared, stream, args::Vararg{Any,N}) where {N}
    launch = where_to(kernel, blocks, threads, elements, shared)
    return with_arguments((i, x) -> fitted(kernel, i, x), kernel.host, args...) do list, count
        check(Raw.tenon_kernel_launch(kernel, launch, list, count, stream))
    end
end

"""
    Tenon.launch(kernel, args...; blocks = 1, threads = 1, shared = 0, stream = C_NULL)
    Tenon.launch(kernel, args...; elements, threads = nothing, ...)

Runs a kernel with the given arguments: arrays, numbers, structs of plain bits, raw pointers; on the CPU device also
Julia's own arrays, in place. `blocks` and `threads` are numbers or tuples of up to three; `elements` launches one
thread along x for each of that many elements. A number is converted to the parameter's type if that represents it
exactly.
"""
@inline launch(kernel::Kernel, args::Vararg{Any,N}; blocks = 1, threads = nothing, elements = nothing, shared = 0,
               stream::Streamed = C_NULL) where {N} =
    launch_at(kernel, blocks, threads, elements, shared, stream, args...)

"""
    @launch blocks = cld(n, 256) threads = 256 kernel(2f0, x, y, n)
    @launch elements = n kernel(2f0, x, y, n)

`Tenon.launch` in the form of a call. Nothing is looked up at run time, so a launch costs little more than in C.
"""
macro launch(arguments...)
    isempty(arguments) && error("@launch needs a call: @launch threads = 256 kernel(x)")
    call = last(arguments)
    call isa Expr && call.head === :call || error("@launch ends in a call of the kernel, and not in $call")
    options = Dict{Symbol,Any}(:blocks => 1, :threads => nothing, :elements => nothing, :shared => 0, :stream => C_NULL)
    for option in arguments[1:end-1]
        option isa Expr && option.head === :(=) && haskey(options, option.args[1]) ||
            error("an option of @launch is blocks, threads, elements, shared or stream = value, and not $option")
        options[option.args[1]] = esc(option.args[2])
    end
    values = (options[name] for name in (:blocks, :threads, :elements, :shared, :stream))
    return Expr(:call, launch_at, esc(call.args[1]), values..., map(esc, call.args[2:end])...)
end

"""
    Tenon.bind(kernel, args...; options as for Tenon.launch)

A call whose arguments are checked and packed once: `call()` runs it, `call[i] = x` replaces an argument.
"""
mutable struct Call
    handle::Ptr{Raw.tenon_call}
    kernel::Kernel
    args::Vector{Any} # objects that must stay alive as long as the call
end

function bind(kernel::Kernel, args...; blocks = 1, threads = nothing, elements = nothing, shared = 0)
    launch = where_to(kernel, blocks, threads, elements, shared)
    kept = map(x -> held(x, kernel.host), args)
    handle = with_arguments((i, x) -> fitted(kernel, i, x), kernel.host, kept...) do list, count
        made(out -> Raw.tenon_call_create(kernel, launch, list, count, out), Raw.tenon_call)
    end
    return finalizer(free, Call(handle, kernel, collect(Any, kept)))
end

function free(call::Call)
    Raw.tenon_call_release(call.handle)
    call.handle = C_NULL
    return nothing
end

Base.unsafe_convert(::Type{Ptr{Raw.tenon_call}}, call::Call) = call.handle
(call::Call)(; stream::Streamed = C_NULL) = check(Raw.tenon_call_launch(call, stream))

function Base.setindex!(call::Call, x, i::Int)
    1 <= i <= length(call.args) || throw(BoundsError(call.args, i))
    kept = held(x, call.kernel.host)
    with_arguments((_, y) -> fitted(call.kernel, i, y), call.kernel.host, kept) do list, _
        check(Raw.tenon_call_set(call, i - 1, list))
    end
    call.args[i] = kept
    return call
end

"""
    Tenon.Operation("elementwise/sigmoid")
    operation(x, y)

An operation of a package, found by its name on the search path (TENON_PLUGIN_PATH), and a call of it with all its
arguments, including outputs. The shapes in a package's contract are C's, which are Julia's reversed.
"""
Operation(name::AbstractString; range = C_NULL, context = C_NULL) =
    Operation(made(out -> Raw.tenon_operation_find(context, name, range, out), Raw.tenon_operation))

function (operation::Operation)(args...; stream::Streamed = C_NULL)
    with_arguments((_, x) -> argument(x), true, args...) do list, count
        check(retried(() -> Raw.tenon_operation_call(operation, list, count, stream)))
    end
end
