# Fourier transforms with the names of AbstractFFTs, which need not be installed: fft, ifft, bfft, rfft, irfft, brfft,
# the in-place versions with !, and plans, which are applied with *, mul!, \ and inv.

const FFTComplex = Union{ComplexF32,ComplexF64}
const FFTReal = Union{Float32,Float64}

"""
    p = Tenon.plan_fft(x, dims = 1:ndims(x))

A prepared transform for arrays with the element type and size of `x`: `p * x`, `mul!(y, p, x)`, `p \\ y`, `inv(p)`. The
others are `plan_ifft`, `plan_bfft`, `plan_rfft`, `plan_irfft(x, d)` and `plan_brfft(x, d)`.
"""
struct Plan{T,S,N}
    input::Dims{N}
    output::Dims{N}
    axes::Vector{Int32} # axes in C's numbering
    inverse::Bool
    scaled::Bool # whether an inverse transform is scaled by 1/n
    device::Device
end
# T and S are the element types of input and output.

axes_of(dims, rank) = Int32[rank - d for d in reverse(Int[dims...])] # the first, which rfft halves, comes last in C

function Plan{T,S}(x::TenonArray{T,N}, output, dims, inverse, scaled) where {T,S,N}
    all(d -> 1 <= d <= N, dims) || throw(ArgumentError("dims are $dims, and the array has $N"))
    plan = Plan{T,S,N}(size(x), output, axes_of(dims, N), inverse, scaled, x.device)
    settings = options(plan)
    y = S == T ? x : fresh(x, S, output...)
    isempty(x) || check(retried(() -> Raw.tenon_fft_prepare(x, y, plan.axes, length(plan.axes), settings)))
    return plan
end

options(p::Plan) = Ref(Raw.make(Raw.tenon_fft_options;
    direction = p.inverse ? Raw.TENON_FFT_DIRECTION_INVERSE : Raw.TENON_FFT_DIRECTION_FORWARD,
    norm = p.inverse && !p.scaled ? Raw.TENON_FFT_NORM_FORWARD : Raw.TENON_FFT_NORM_BACKWARD))

Base.size(p::Plan) = p.input
Base.eltype(::Plan{T}) where {T} = T
Base.show(io::IO, p::Plan{T,S}) where {T,S} = print(io, "Tenon.Plan{$T,$S} of size ", p.input)

function LinearAlgebra.mul!(y::TenonArray{S,N}, p::Plan{T,S,N}, x::TenonArray{T,N}) where {T,S,N}
    (size(x), size(y)) == (p.input, p.output) || throw(DimensionMismatch(
        "the plan takes arrays of size $(p.input) to $(p.output), and not $(size(x)) to $(size(y))"))
    settings = options(p)
    into = Ref(y.handle)
    GC.@preserve y check(retried(() -> Raw.tenon_fft(x, p.axes, length(p.axes), settings, C_NULL, into)))
    return y
end

Base.:*(p::Plan{T,S}, x::TenonArray{T}) where {T,S} = mul!(fresh(x, S, p.output...), p, x)
Base.:*(p::Plan{T}, x::TenonArray{<:Real}) where {T<:Complex} = p * TenonArray{T}(x; device = x.device)
Base.inv(p::Plan{T,S,N}) where {T,S,N} =
    Plan{S,T,N}(p.output, p.input, p.axes, !p.inverse, !p.inverse || p.scaled, p.device)

# The inverse of an unscaled inverse transform is a forward transform scaled by 1/n.
function Base.:\(p::Plan{T,S}, y::TenonArray{S}) where {T,S}
    x = inv(p) * y
    return p.inverse && !p.scaled ? x .= x ./ real(T)(prod(length_along(p))) : x
end
length_along(p::Plan{T,S,N}) where {T,S,N} = [max(p.input[N-a], p.output[N-a]) for a in p.axes]

half(dims, size) = ntuple(i -> i == first(dims) ? size[i] ÷ 2 + 1 : size[i], length(size))
function whole(dims, size, d)
    n = size[first(dims)]
    d ÷ 2 + 1 == n ||
        throw(DimensionMismatch("half of a transform of length $d has $(d ÷ 2 + 1) numbers, and not $n"))
    return ntuple(i -> i == first(dims) ? Int(d) : size[i], length(size))
end

every(x) = 1:ndims(x)
plan_fft(x::TenonArray{T}, dims = every(x)) where {T<:FFTComplex} = Plan{T,T}(x, size(x), dims, false, true)
plan_ifft(x::TenonArray{T}, dims = every(x)) where {T<:FFTComplex} = Plan{T,T}(x, size(x), dims, true, true)
plan_bfft(x::TenonArray{T}, dims = every(x)) where {T<:FFTComplex} = Plan{T,T}(x, size(x), dims, true, false)
plan_rfft(x::TenonArray{T}, dims = every(x)) where {T<:FFTReal} =
    Plan{T,Complex{T}}(x, half(dims, size(x)), dims, false, true)
plan_irfft(x::TenonArray{Complex{T}}, d::Integer, dims = every(x)) where {T<:FFTReal} =
    Plan{Complex{T},T}(x, whole(dims, size(x), d), dims, true, true)
plan_brfft(x::TenonArray{Complex{T}}, d::Integer, dims = every(x)) where {T<:FFTReal} =
    Plan{Complex{T},T}(x, whole(dims, size(x), d), dims, true, false)

as_complex(x::TenonArray{<:Complex}) = x
as_complex(x::TenonArray{T}) where {T<:Real} = TenonArray{complex(float(T))}(x; device = x.device)

for name in (:fft, :ifft, :bfft)
    plan = Symbol(:plan_, name)
    @eval begin
        $name(x::TenonArray, dims = every(x)) = (z = as_complex(x); $plan(z, dims) * z)
        $(Symbol(name, :!))(x::TenonArray{<:FFTComplex}, dims = every(x)) = mul!(x, $plan(x, dims), x)
    end
end
rfft(x::TenonArray{<:FFTReal}, dims = every(x)) = plan_rfft(x, dims) * x
irfft(x::TenonArray{<:FFTComplex}, d::Integer, dims = every(x)) = plan_irfft(x, d, dims) * x
brfft(x::TenonArray{<:FFTComplex}, d::Integer, dims = every(x)) = plan_brfft(x, d, dims) * x
