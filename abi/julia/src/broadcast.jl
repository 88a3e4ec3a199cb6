# Broadcasting and reductions: a Julia expression becomes one generated kernel, compiled once per combination of types.
using Base.Broadcast: Broadcasted, ArrayStyle

const Style = ArrayStyle{TenonArray}
const Lazy = Broadcasted{Style}

Base.BroadcastStyle(::Type{<:TenonArray}) = Style()
Base.BroadcastStyle(::Type{<:Part}) = Style()
Base.BroadcastStyle(::Type{<:Turned}) = Style()

const C_NAMES = (Bool => "bool", Int8 => "int8", Int16 => "int16", Int32 => "int32", Int64 => "int64", UInt8 => "uint8",
                 UInt16 => "uint16", UInt32 => "uint32", UInt64 => "uint64", Float16 => "float16", Float32 => "float32",
                 Float64 => "float64", ComplexF32 => "complex64", ComplexF64 => "complex128")
declared(::Type{T}) where {T} = throw(ArgumentError("a kernel cannot compute with elements of type $T"))
for (type, name) in C_NAMES
    @eval declared(::Type{$type}) = $name
end

const C_TYPES = Dict(Bool => "bool", Int8 => "signed char", Int16 => "short", Int32 => "int", Int64 => "long long",
                     UInt8 => "unsigned char", UInt16 => "unsigned short", UInt32 => "unsigned", Float16 => "float",
                     UInt64 => "unsigned long long", Float32 => "float", Float64 => "double",
                     ComplexF32 => "complex<float>", ComplexF64 => "complex<double>")

"The C type in which values of type `T` are computed: float for Float16."
working(::Type{T}) where {T} =
    get(() -> throw(ArgumentError("a kernel cannot compute with values of type $T")), C_TYPES, T)

"The text that converts a value of type `T` to type `R`."
function cast(::Type{R}, ::Type{T}, text) where {R,T}
    R == T && return text
    R <: Complex && T <: Complex && return "$(working(R))(real($text), imag($text))"
    R <: Complex && return "$(working(R))(($(working(real(R))))$text)"
    return "(($(working(R)))$text)"
end

"""
    Tenon.expression(f, x...)

The CUDA C expression for `f` of the operands `x`, given as texts, each a variable of its own Julia type. Add a method
to use your own function in broadcasts of `TenonArray`:

    Tenon.expression(::typeof(logistic), x) = "1 / (1 + exp(-\$x))"
"""
expression(f, x...) = throw(ArgumentError(
    "a broadcast over TenonArrays cannot call $f with $(length(x)) operands, as its text in CUDA C is not known; define " *
    "Tenon.expression(::typeof($f), x...) to return it"))

for name in (:sqrt, :cbrt, :exp, :exp2, :exp10, :expm1, :log, :log2, :log10, :log1p, :sin, :cos, :tan, :sinh, :cosh,
             :tanh, :asin, :acos, :atan, :asinh, :acosh, :atanh, :floor, :ceil, :trunc, :sinpi, :cospi, :real, :imag,
             :conj)
    @eval expression(::typeof($name), x) = $(string(name)) * "($x)"
end
for name in (:isnan, :isinf, :isfinite)
    @eval expression(::typeof($name), x) = $("!!" * string(name)) * "($x)"
end
expression(::typeof(round), x) = "rint($x)"
expression(::typeof(inv), x) = "1 / $x"
expression(::typeof(hypot), x, y) = "hypot($x, $y)"
expression(::typeof(atan), y, x) = "atan2($y, $x)"
expression(::typeof(copysign), x, y) = "copysign($x, $y)"
expression(::typeof(identity), x) = x
expression(::typeof(+), x) = x
expression(::typeof(-), x) = "-$x"
expression(::typeof(!), x) = "!$x"
expression(::typeof(~), x) = "~$x"
for name in (:+, :*)
    @eval expression(::typeof($name), x, y, more...) = join((x, y, more...), $(" $name "))
end
for name in (:-, :/, :&, :|)
    @eval expression(::typeof($name), x, y) = "$x " * $(string(name)) * " $y"
end
expression(::typeof(xor), x, y) = "$x ^ $y"
expression(::typeof(^), x, y) = "pow($x, $y)"
for name in (:(==), :(!=), :<, :<=, :>, :>=)
    @eval expression(::typeof($name), x, y) = "$x " * $(string(name)) * " $y"
end
expression(::typeof(max), x, y) = "$x != $x ? $x : $y != $y ? $y : $x < $y ? $y : $x" # NaN propagates, as in Julia
expression(::typeof(min), x, y) = "$x != $x ? $x : $y != $y ? $y : $y < $x ? $y : $x"
expression(::typeof(ifelse), condition, x, y) = "$condition ? $x : $y"
expression(::typeof(muladd), x, y, z) = "$x * $y + $z"
expression(::typeof(fma), x, y, z) = "fma($x, $y, $z)"
expression(::typeof(clamp), x, low, high) = "$x < $low ? $low : $high < $x ? $high : $x"
expression(::typeof(abs2), x) = "$x * $x"
expression(::typeof(abs), x) = "$x < 0 ? -$x : $x + 0" # -0.0 becomes 0.0
expression(::typeof(sign), x) = "$x != $x ? $x : ($x > 0) - ($x < 0)"
expression(::typeof(div), x, y) = "$y == 0 ? 0 : $x / $y"
expression(::typeof(rem), x, y) = "$y == 0 ? 0 : $x % $y"
expression(::typeof(mod), x, y) = "$y == 0 ? 0 : ($x % $y != 0 && ($x % $y < 0) != ($y < 0)) ? $x % $y + $y : $x % $y"
expression(::typeof(Base.add_sum), x, y) = "$x + $y"
expression(::typeof(Base.mul_prod), x, y) = "$x * $y"

const COMPARISONS = Union{map(typeof, (==, !=, <, <=, >, >=))...}
const WHOLE = Union{map(typeof, (div, rem, mod))...}
const OF_PARTS = Union{map(typeof, (abs, abs2, real, imag, isnan, isinf, isfinite, sign, conj, !, ~))...}

"The type to which the operands of `f` are converted, for a result of type `R`."
meeting(f, R, types) = R
meeting(::OF_PARTS, R, types) = types[1]
function meeting(f::COMPARISONS, R, types)
    a, b = types
    a <: Integer && b <: Integer && a != Bool && b != Bool && (a <: Signed) != (b <: Signed) && throw(ArgumentError(
        "$f of $a and $b is not done in a kernel, because C would compare them as unsigned numbers; convert one"))
    return promote_type(a, b)
end

"The expression that computes `f` of the named variables, with operands and result of Julia's types."
function computed(f, R, types, names)
    f isa Type && return converting(f, types[1], names[1])
    f isa WHOLE && !(R <: Integer) && throw(ArgumentError("$f of floating-point numbers is not done in a kernel"))
    f === (^) && !(R <: Union{AbstractFloat,Complex}) &&
        throw(ArgumentError("a power of integers with an exponent that varies is not done in a kernel"))
    if f isa Union{typeof(abs),typeof(abs2),typeof(sign)} && types[1] <: Complex
        f === sign && throw(ArgumentError("sign of complex numbers is not done in a kernel"))
        return f === abs ? "abs($(names[1]))" : "norm($(names[1]))"
    end
    f isa Union{typeof(real),typeof(conj)} && !(types[1] <: Complex) && return names[1]
    f === imag && !(types[1] <: Complex) && return "0"
    common = meeting(f, R, types)
    operands = f === ifelse ? (names[1], cast(common, types[2], names[2]), cast(common, types[3], names[3])) :
               map((type, name) -> cast(common, type, name), types, names)
    return expression(f, operands...)
end

converts(R, T) = R <: AbstractFloat || R <: Complex || (R <: Integer && T <: Integer && R != Bool &&
                                                        typemin(R) <= typemin(T) && typemax(T) <= typemax(R))
function converting(R, T, name)
    converts(R, T) && return cast(R, T, name)
    throw(ArgumentError("$R.(x) of $T throws in Julia where a number does not fit, which a kernel cannot do"))
end

# The text consists of statements with one variable per node, so that nothing is computed twice.
mutable struct Writer
    inputs::Vector{String}
    statements::Vector{String}
    leaves::Vector{Any}
end
Writer() = Writer(String[], String[], Any[])

"Writes the statement for one node; returns its variable's name and type."
function node!(w::Writer, R, text)
    name = "t$(length(w.statements))_"
    push!(w.statements, "const $(working(R)) $name = $text;")
    return name, R
end

function leaf!(w::Writer, x, ::Type{T}) where {T}
    name = "x$(length(w.inputs))_"
    push!(w.inputs, "$(declared(T)) $name")
    push!(w.leaves, x)
    return name
end

write!(w::Writer, x::Strided{T}) where {T} = leaf!(w, x, T), T
function write!(w::Writer, x::Adjoint{T,<:TenonVecOrMat{T}}) where {T<:Complex}
    name = leaf!(w, x, T)
    return node!(w, T, "conj($name)")
end
write!(w::Writer, x::Scalar) = leaf!(w, x, typeof(x)), typeof(x)
write!(w::Writer, x::Irrational) = leaf!(w, Float64(x), Float64), Float64
write!(w::Writer, x::Base.RefValue{<:Number}) = write!(w, x[])
write!(w::Writer, x::AbstractArray) = write!(w, x isa Array ? x : collect(x))
write!(w::Writer, x::Array{T}) where {T} = leaf!(w, x, T), T
write!(w::Writer, x) =
    throw(ArgumentError("a broadcast of TenonArray takes arrays and numbers, and not a $(typeof(x))"))

function element_type(lazy::Broadcasted)
    R = Broadcast.combine_eltypes(lazy.f, lazy.args)
    isconcretetype(R) || throw(ArgumentError("$(lazy.f) gives no elements of one type here, but $R"))
    return R
end

function write!(w::Writer, lazy::Broadcasted)
    R = element_type(lazy)
    if lazy.f === Base.literal_pow
        name, T = write!(w, lazy.args[2])
        return node!(w, R, power(cast(R, T, name), R, exponent_of(lazy.args[3])))
    end
    parts = map(x -> write!(w, x), lazy.args)
    return node!(w, R, computed(lazy.f, R, map(last, parts), map(first, parts)))
end

exponent_of(::Base.RefValue{Val{p}}) where {p} = p
function power(x, R, p)
    p < 0 && return "1 / ($(power(x, R, -p)))"
    p == 0 && return cast(R, Int32, "1")
    p <= 8 && return join(fill_text(x, p), " * ")
    return R <: Integer ? throw(ArgumentError("an integer to the power $p is not done in a kernel")) :
           "pow($x, $(cast(R, Int32, string(p))))"
end
fill_text(x, n) = [x for _ in 1:n]

# Kernels by the type of the expression. The numbers in it are passed as arguments.
const FUSED = Dict{Any,Elementwise}()
const FUSED_LOCK = ReentrantLock()

function fused(w::Writer, key, text, T)
    lock(FUSED_LOCK) do
        get!(FUSED, key) do
            operation = join(w.statements, ' ') * " out_ = $text;"
            Elementwise(made(Raw.tenon_elementwise) do out
                Raw.tenon_elementwise_create(join(w.inputs, ", "), "$(declared(T)) out_", operation, C_NULL, out)
            end)
        end
    end
end

"An array that a kernel on the device can access; it shares the memory of the leaf if possible."
reachable(x::Scalar, device) = x
reachable(x::Strided, device) = x
reachable(x::Array, device) = ishost(device) ? unsafe_wrap(TenonArray, x) : TenonArray(x; device = device)

as_argument(x::Scalar) = scalar(x)
as_argument(handle::Ptr{Raw.tenon_array}) =
    packed(Raw.TENON_ARG_STRIDED, UInt32(0), UInt64(0), (UInt64(UInt(handle)), UInt64(0)))

"Calls `f` with the packed leaves; arrays are passed with their strides."
function with_leaves(f, leaves)
    arrays = Any[x for x in leaves if !(x isa Scalar)]
    with_strided(arrays...) do handles...
        next = Ref(0)
        list = Raw.tenon_arg[as_argument(x isa Scalar ? x : handles[next[] += 1]) for x in leaves]
        f(list, Int32(length(list)))
    end
end

function Base.similar(lazy::Lazy, ::Type{T}) where {T}
    found = first_array(lazy)
    return TenonArray{T}(undef, map(length, axes(lazy)); device = origin(found).device)
end

first_array(x::Strided) = x
first_array(x) = nothing
function first_array(lazy::Broadcasted)
    for x in lazy.args
        found = first_array(x)
        found === nothing || return found
    end
    return nothing
end

function Base.copy(lazy::Lazy)
    return copyto!(similar(lazy, element_type(lazy)), lazy)
end

Base.copyto!(destination::TenonArray, lazy::Lazy) = evaluate!(destination, lazy)
Base.copyto!(destination::Part, lazy::Lazy) = evaluate!(destination, lazy)
Base.copyto!(destination::Array, lazy::Lazy) = copyto!(destination, Array(copy(lazy)))
# A broadcast of only numbers and Julia's arrays into an array of the device.
Base.copyto!(destination::Union{TenonArray,Part}, lazy::Broadcasted{<:Broadcast.AbstractArrayStyle{0}}) =
    lazy.f === identity && lazy.args[1] isa Number ? fill!(destination, lazy.args[1]) :
    evaluate!(destination, lazy)
Base.copyto!(destination::Union{TenonArray,Part}, lazy::Broadcasted{Broadcast.DefaultArrayStyle{N}}) where {N} =
    evaluate!(destination, lazy)

function evaluate!(destination::Union{TenonArray{T},Part{T}}, lazy::Broadcasted) where {T}
    axes(destination) == axes(lazy) || Broadcast.throwdm(axes(destination), axes(lazy))
    isempty(destination) && return destination
    w = Writer()
    text, R = write!(w, lazy)
    R == T || converts(T, R) || throw(ArgumentError("the elements are $R and do not fit into $T"))
    kernel = fused(w, (typeof(lazy), T), cast(T, R, text), T)
    device = origin(destination).device
    leaves = Any[reachable(Broadcast.broadcast_unalias(destination, x), device) for x in w.leaves]
    with_leaves(Any[leaves..., destination]) do list, count
        check(retried(() -> Raw.tenon_elementwise_call(kernel, list, count, C_NULL)))
    end
    return destination
end

# map is a broadcast of arrays of the same size.
function Base.map(f, a::Strided, more::Strided...)
    all(x -> size(x) == size(a), more) || throw(DimensionMismatch("map needs arrays of one size"))
    return f.(a, more...)
end
Base.map!(f, destination::TenonArray, a::Strided, more::Strided...) = destination .= f.(a, more...)

# Reductions.

const REDUCED = Dict{Any,Reduction}()
neutral(::Union{typeof(+),typeof(Base.add_sum),typeof(|)}) = "0"
neutral(::Union{typeof(*),typeof(Base.mul_prod),typeof(&)}) = "1"
neutral(::Union{typeof(max),typeof(min)}) = C_NULL
neutral(op) = throw(ArgumentError("a reduction of TenonArray is by +, *, max, min, & or |, and not by $op"))

function reducer(f, op, ::Type{T}, ::Type{R}) where {T,R}
    lock(FUSED_LOCK) do
        get!(REDUCED, (f, op, T, R)) do
            w = Writer()
            push!(w.inputs, "x") # so that the variables are numbered from 1
            M = Base._return_type(f, Tuple{T})
            text = cast(R, M, first(node!(w, M, computed(f, M, (T,), ("x",)))))
            body = join(w.statements, ' ') * " return $text;"
            preamble = "static __device__ $(working(R)) map_(const $(working(T)) x) { $body }"
            GC.@preserve preamble begin
                options = Ref(Raw.make(Raw.tenon_generated_options; preamble = pointer(preamble)))
                Reduction(made(Raw.tenon_reduction) do out
                    Raw.tenon_reduction_create("$(declared(T)) x", "$(declared(R)) y", "map_(x)",
                                               expression(op, "a", "b"), "", neutral(op), options, out)
                end)
            end
        end
    end
end

struct NoInit end

function Base.mapreduce(f, op, a::Strided{T}; dims = :, init = NoInit()) where {T}
    a isa Adjoint && T <: Complex && (a = copy(a))
    M = Base._return_type(f, Tuple{T})
    R = Base._return_type(op, Tuple{M,M})
    reduction = reducer(f, op, T, R)
    axes = dims === Colon() ? Int32[0:ndims(a)-1;] : Int32[ndims(a) - d for d in dims if d <= ndims(a)]
    isempty(axes) && ndims(a) > 0 && return map(f, a)
    handle = reduced(reduction, a, axes)
    result = adopt(TenonArray{R,ndims(a)}, handle, origin(a).device)
    dims === Colon() || return init isa NoInit ? result : op.(result, init)
    value = Array(result)[1]
    return init isa NoInit ? value : op(init, value)
end

# The result keeps its axes. Without an axis to reduce, only the map is computed.
function reduced(reduction, a, axes)
    with_leaves(Any[a]) do list, count
        pointer_of = isempty(axes) ? Ptr{Int32}(C_NULL) : pointer(axes)
        GC.@preserve axes begin
            handle = made(Raw.tenon_array) do out
                Raw.tenon_reduction_output(reduction, list, count, pointer_of, length(axes), 1, C_NULL, out)
            end
            push!(list, as_argument(handle))
            status = retried() do
                Raw.tenon_reduction_call(reduction, list, count + 1, pointer_of, length(axes), C_NULL)
            end
            status == Raw.TENON_OK || Raw.tenon_array_release(handle)
            check(status)
            handle
        end
    end
end

for (name, op) in ((:sum, Base.add_sum), (:prod, Base.mul_prod), (:maximum, max), (:minimum, min))
    @eval Base.$name(a::Strided; dims = :, options...) = mapreduce(identity, $op, a; dims = dims, options...)
    @eval Base.$name(f, a::Strided; dims = :, options...) = mapreduce(f, $op, a; dims = dims, options...)
end
for (name, op) in ((:any, |), (:all, &))
    @eval Base.$name(a::Strided{Bool}; dims = :) = mapreduce(identity, $op, a; dims = dims)
    @eval Base.$name(f::Function, a::Strided; dims = :) = mapreduce(f, $op, a; dims = dims)
end
