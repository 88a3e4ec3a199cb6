# Linear algebra with the names of LinearAlgebra. The library's functions take matrices with any strides, so Julia's
# matrices are passed to LAPACK and cuSOLVER unchanged, and results are written in Julia's order.

const Number4 = Union{Float32,Float64,ComplexF32,ComplexF64}
const Matrix4 = TenonMatrix{<:Number4}
const MatrixLike{T} = Union{TenonMatrix{T},Turned{T}}

"Handles for matrices of shape (rows, columns), with a vector as one column. The caller must release them."
function as_matrix(a::TenonMatrix)
    return made(out -> Raw.tenon_array_transpose(a, 2, C_NULL, out), Raw.tenon_array)
end
as_matrix(a::TenonVector) = made(out -> Raw.tenon_array_reshape(a, 2, Int64[length(a), 1], out), Raw.tenon_array)
as_matrix(a::Turned) = as_matrix(copy(a))

with_matrices(f, arrays...) = with_handles(f, as_matrix, arrays...)

fresh(a, ::Type{T}, dims...) where {T} = TenonArray{T}(undef, dims...; device = origin(a).device)

"Throws numerical failures as Julia's own exceptions, if there is one."
function solved(status, exception = SingularException)
    status == Raw.TENON_OK && return nothing
    error = failure(status)
    status == Raw.TENON_ERROR_SINGULAR && error.batch <= 0 && throw(exception(error.code))
    throw(error)
end

square(a) = (LinearAlgebra.checksquare(a); a)

# Products. With shapes reversed, c = a b is c' = b' a' for the library; a transposed operand is passed as its parent.
operation_of(::TenonVecOrMat) = Raw.TENON_OP_NONE
operation_of(::Transpose) = Raw.TENON_OP_TRANSPOSE
operation_of(::Adjoint) = Raw.TENON_OP_ADJOINT

function product!(c::TenonVecOrMat{T}, a, b, alpha, beta) where {T}
    (size(a, 1), size(b, 2)) == (size(c, 1), size(c, 2)) && size(a, 2) == size(b, 1) || throw(DimensionMismatch(
        "a product of $(size(a)) and $(size(b)) has no place in $(size(c))"))
    isempty(c) && return c
    options = Ref(Raw.make(Raw.tenon_gemm_options; op_a = operation_of(b), op_b = operation_of(a)))
    factors = Ref(scalar(convert(T, alpha))), Ref(scalar(convert(T, beta)))
    rows(x::TenonMatrix) = (Raw.tenon_array_retain(x); x.handle)
    rows(x::TenonVector) = made(out -> Raw.tenon_array_reshape(x, 2, Int64[1, length(x)], out), Raw.tenon_array)
    handles = map(rows, (origin(a), origin(b), c))
    try
        GC.@preserve a b c solved(retried() do
            Raw.tenon_gemm(factors[1], handles[2], handles[1], factors[2], options, C_NULL, Ref(handles[3]))
        end)
    finally
        foreach(Raw.tenon_array_release, handles)
    end
    return c
end

const Wrappers = (:(TenonMatrix{T}), :(Adjoint{T,<:TenonMatrix{T}}), :(Transpose{T,<:TenonMatrix{T}}))
for A in Wrappers
    for B in Wrappers
        for S in (:Number, :Real) # both, because Julia 1.5 has methods for both
            @eval LinearAlgebra.mul!(c::TenonMatrix{T}, a::$A, b::$B, alpha::$S, beta::$S) where {T<:Number4} =
                product!(c, a, b, alpha, beta)
        end
        @eval LinearAlgebra.mul!(c::TenonMatrix{T}, a::$A, b::$B) where {T<:Number4} = product!(c, a, b, true, false)
        @eval Base.:*(a::$A, b::$B) where {T<:Number4} =
            product!(fresh(a, T, size(a, 1), size(b, 2)), a, b, true, false)
    end
    for S in (:Number, :Real)
        @eval LinearAlgebra.mul!(c::TenonVector{T}, a::$A, b::TenonVector{T}, alpha::$S, beta::$S) where {T<:Number4} =
            product!(c, a, b, alpha, beta)
    end
    @eval LinearAlgebra.mul!(c::TenonVector{T}, a::$A, b::TenonVector{T}) where {T<:Number4} =
        product!(c, a, b, true, false)
    @eval Base.:*(a::$A, b::TenonVector{T}) where {T<:Number4} = product!(fresh(a, T, size(a, 1)), a, b, true, false)
end

LinearAlgebra.dot(x::TenonArray{T}, y::TenonArray{T}) where {T<:Number4} =
    length(x) == length(y) ? sum(conj.(vec(x)) .* vec(y)) :
    throw(DimensionMismatch("arrays of $(length(x)) and $(length(y)) elements have no dot product"))

function LinearAlgebra.norm(x::TenonArray{<:Number4}, p::Real = 2)
    isempty(x) && return float(zero(real(eltype(x))))
    p == Inf && return maximum(abs, x)
    p == 1 && return sum(abs, x)
    p == 2 || throw(ArgumentError("norm of a TenonArray is for p = 1, 2 and Inf, and not for $p"))
    largest = maximum(abs, x) # scales the elements, so that no square overflows
    return iszero(largest) || !isfinite(largest) ? largest : largest * sqrt(sum(abs2.(x ./ largest)))
end

# Factorisations.
const ROWS = isdefined(LinearAlgebra, :RowMaximum) ? getfield(LinearAlgebra, :RowMaximum) : Val{true}

function LinearAlgebra.lu!(a::TenonMatrix{T}, ::ROWS; check::Bool = true, options...) where {T<:Number4}
    pivots = fresh(a, Int64, min(size(a)...))
    with_matrices(a) do matrix
        solved(retried(() -> Raw.tenon_lu(matrix, C_NULL, C_NULL, Ref(matrix), Ref(pivots.handle))))
    end
    diagonal = Array(view(vec(a), 1:size(a, 1)+1:length(vec(a)))) # longer than the diagonal if a is wide
    singular = findfirst(iszero, diagonal[1:min(size(a)...)])
    singular = singular === nothing ? 0 : singular
    check && singular > 0 && throw(SingularException(singular))
    return LU(a, Vector{LinearAlgebra.BlasInt}(Array(pivots)), LinearAlgebra.BlasInt(singular))
end
LinearAlgebra.lu!(a::TenonMatrix{<:Number4}; options...) = lu!(a, ROWS(); options...)
LinearAlgebra.lu(a::TenonMatrix{<:Number4}; options...) = lu!(copy(a), ROWS(); options...)

function LinearAlgebra.ldiv!(factors::LU{T,<:TenonMatrix{T}}, b::TenonVecOrMat{T}) where {T<:Number4}
    same_rows(factors.factors, b)
    pivots = TenonArray(Vector{Int64}(factors.ipiv); device = b.device)
    with_matrices(factors.factors, b) do matrix, right
        solved(retried(() -> Raw.tenon_lu_solve(matrix, pivots, right, C_NULL, C_NULL, Ref(right))))
    end
    return b
end
Base.:\(factors::LU{T,<:TenonMatrix{T}}, b::TenonVecOrMat{T}) where {T<:Number4} = ldiv!(factors, copy(b))

same_rows(a, b) = size(a, 1) == size(b, 1) ||
    throw(DimensionMismatch("a matrix of size $(size(a)) and a right side of size $(size(b)) have different rows"))

triangle(upper) = Ref(Raw.make(Raw.tenon_cholesky_options; upper = Int32(upper)))

function cholesky_of!(a::TenonMatrix, upper, check)
    square(a)
    with_matrices(a) do matrix
        status = retried(() -> Raw.tenon_cholesky(matrix, triangle(upper), C_NULL, Ref(matrix)))
        status == Raw.TENON_ERROR_SINGULAR && !check &&
            return Cholesky(a, upper ? 'U' : 'L', LinearAlgebra.BlasInt(failure(status).code))
        solved(status, PosDefException)
        Cholesky(a, upper ? 'U' : 'L', LinearAlgebra.BlasInt(0))
    end
end

const UNPIVOTED = isdefined(LinearAlgebra, :NoPivot) ? getfield(LinearAlgebra, :NoPivot) : Val{false}
LinearAlgebra.cholesky!(a::TenonMatrix{<:Number4}, ::UNPIVOTED = UNPIVOTED(); check::Bool = true) =
    cholesky_of!(a, true, check)
LinearAlgebra.cholesky(a::TenonMatrix{<:Number4}, ::UNPIVOTED = UNPIVOTED(); check::Bool = true) =
    cholesky_of!(copy(a), true, check)
LinearAlgebra.cholesky(a::LinearAlgebra.RealHermSymComplexHerm{<:Real,<:TenonMatrix{<:Number4}},
                       ::UNPIVOTED = UNPIVOTED(); check::Bool = true) =
    cholesky_of!(copy(parent(a)), a.uplo == 'U', check)

function LinearAlgebra.ldiv!(factors::Cholesky{T,<:TenonMatrix{T}}, b::TenonVecOrMat{T}) where {T<:Number4}
    same_rows(factors.factors, b)
    with_matrices(factors.factors, b) do matrix, right
        solved(retried() do
            Raw.tenon_cholesky_solve(matrix, right, triangle(factors.uplo == 'U'), C_NULL, Ref(right))
        end)
    end
    return b
end
Base.:\(factors::Cholesky{T,<:TenonMatrix{T}}, b::TenonVecOrMat{T}) where {T<:Number4} = ldiv!(factors, copy(b))

"""
The factors of `qr(a::TenonMatrix)`: `Q` with orthonormal columns and upper triangular `R`, as arrays of the device.
`Q, R = qr(a)` also works, and `qr(a) \\ b` solves the least-squares problem.
"""
struct TenonQR{T} <: Factorization{T}
    Q::TenonMatrix{T}
    R::TenonMatrix{T}
end
Base.size(factors::TenonQR) = (size(factors.Q, 1), size(factors.R, 2))
Base.size(factors::TenonQR, axis::Integer) = axis > 2 ? 1 : size(factors)[axis]
Base.iterate(factors::TenonQR) = factors.Q, Val(:R)
Base.iterate(factors::TenonQR, ::Val{:R}) = factors.R, Val(:done)
Base.iterate(factors::TenonQR, ::Val{:done}) = nothing
Base.show(io::IO, ::MIME"text/plain", factors::TenonQR{T}) where {T} = print(io, "TenonQR{$T} of size ", size(factors))

function LinearAlgebra.qr(a::TenonMatrix{T}; full::Bool = false) where {T<:Number4}
    m, n = size(a)
    k = full ? m : min(m, n)
    q, r = fresh(a, T, m, k), fresh(a, T, k, n)
    options = Ref(Raw.make(Raw.tenon_qr_options; mode = full ? Raw.TENON_QR_COMPLETE : Raw.TENON_QR_REDUCED))
    with_matrices(a, q, r) do matrix, into_q, into_r
        solved(retried(() -> Raw.tenon_qr(matrix, options, C_NULL, Ref(into_q), Ref(into_r))))
    end
    return TenonQR{T}(q, r)
end
function Base.:\(factors::TenonQR{T}, b::TenonVecOrMat{T}) where {T}
    m, n = size(factors)
    m >= n == size(factors.Q, 2) || throw(DimensionMismatch(
        "qr(a) \\ b needs the reduced factors of a matrix with at least as many rows as columns; a \\ b takes any"))
    return UpperTriangular(factors.R) \ (factors.Q' * b)
end

function LinearAlgebra.svd(a::TenonMatrix{T}; full::Bool = false, options...) where {T<:Number4}
    m, n = size(a)
    k = min(m, n)
    u, s, vt = fresh(a, T, m, full ? m : k), fresh(a, real(T), k), fresh(a, T, full ? n : k, n)
    settings = Ref(Raw.make(Raw.tenon_svd_options; mode = full ? Raw.TENON_SVD_MODE_FULL : Raw.TENON_SVD_MODE_ECONOMY))
    with_matrices(a, u, vt) do matrix, into_u, into_vt
        solved(retried() do
            Raw.tenon_svd(matrix, settings, C_NULL, Ref(into_u), Ref(s.handle), Ref(into_vt))
        end)
    end
    return SVD(u, Array(s), vt)
end

function LinearAlgebra.svdvals(a::TenonMatrix{T}) where {T<:Number4}
    s = fresh(a, real(T), min(size(a)...))
    settings = Ref(Raw.make(Raw.tenon_svd_options; mode = Raw.TENON_SVD_MODE_VALUES))
    with_matrices(a) do matrix
        solved(retried(() -> Raw.tenon_svd(matrix, settings, C_NULL, C_NULL, Ref(s.handle), C_NULL)))
    end
    return Array(s)
end

const HermitianLike{T} = Union{Hermitian{T,<:TenonMatrix{T}},Symmetric{T,<:TenonMatrix{T}}}
real_or_hermitian(a::Symmetric{<:Complex}) = throw(ArgumentError("complex and symmetric: use eigen(copy(parent(a)))"))
real_or_hermitian(a) = a

function LinearAlgebra.eigen(a::HermitianLike{T}; options...) where {T<:Number4}
    real_or_hermitian(a)
    n = size(a, 1)
    w, v = fresh(parent(a), real(T), n), fresh(parent(a), T, n, n)
    settings = Ref(Raw.make(Raw.tenon_eigh_options; upper = Int32(a.uplo == 'U')))
    with_matrices(parent(a), v) do matrix, into_v
        solved(retried(() -> Raw.tenon_eigh(matrix, settings, C_NULL, Ref(w.handle), Ref(into_v))))
    end
    return Eigen(Array(w), v)
end

function LinearAlgebra.eigvals(a::HermitianLike{T}; options...) where {T<:Number4}
    real_or_hermitian(a)
    w = fresh(parent(a), real(T), size(a, 1))
    settings = Ref(Raw.make(Raw.tenon_eigh_options; upper = Int32(a.uplo == 'U')))
    with_matrices(parent(a)) do matrix
        solved(retried(() -> Raw.tenon_eigh(matrix, settings, C_NULL, Ref(w.handle), C_NULL)))
    end
    return Array(w)
end

in_order(λ) = (real(λ), imag(λ))

"The columns of a matrix in the given order."
function columns(a::TenonMatrix{T}, order) where {T}
    indices = TenonArray(Int64.(order .- 1); device = a.device)
    handle = GC.@preserve a indices begin
        list, axes = [indices.handle], Int32[0]
        made(out -> Raw.tenon_take(a, list, axes, 1, C_NULL, C_NULL, out), Raw.tenon_array)
    end
    return adopt(TenonMatrix{T}, handle, a.device)
end

# For any square matrix: values and vectors are complex, in Julia's order.
function LinearAlgebra.eigen(a::TenonMatrix{T}; options...) where {T<:Number4}
    n = size(square(a), 1)
    w, v = fresh(a, complex(T), n), fresh(a, complex(T), n, n)
    with_matrices(a, v) do matrix, into_v
        solved(retried(() -> Raw.tenon_eig(matrix, C_NULL, C_NULL, Ref(w.handle), C_NULL, Ref(into_v))))
    end
    values = Array(w)
    order = sortperm(values; by = in_order)
    return Eigen(values[order], issorted(order) ? v : columns(v, order))
end

function LinearAlgebra.eigvals(a::TenonMatrix{T}; options...) where {T<:Number4}
    w = fresh(a, complex(T), size(square(a), 1))
    with_matrices(a) do matrix
        solved(retried(() -> Raw.tenon_eig(matrix, C_NULL, C_NULL, Ref(w.handle), C_NULL, C_NULL)))
    end
    return sort!(Array(w); by = in_order)
end

# Linear systems.
function solve(a, b, kind, unit = false)
    same_rows(a, b)
    x = copy(b)
    settings = Ref(Raw.make(Raw.tenon_solve_options; kind = kind, unit_diagonal = Int32(unit)))
    with_matrices(a, x) do matrix, right
        solved(retried(() -> Raw.tenon_solve(matrix, right, settings, C_NULL, Ref(right))))
    end
    return x
end

function Base.:\(a::TenonMatrix{T}, b::TenonVecOrMat{T}) where {T<:Number4}
    size(a, 1) == size(a, 2) && return solve(a, b, Raw.TENON_SOLVE_GENERAL)
    same_rows(a, b)
    x = b isa TenonVector ? fresh(b, T, size(a, 2)) : fresh(b, T, size(a, 2), size(b, 2))
    with_matrices(a, b, x) do matrix, right, into
        solved(retried(() -> Raw.tenon_lstsq(matrix, right, C_NULL, C_NULL, Ref(into), C_NULL, C_NULL)))
    end
    return x
end

for (wrapper, kind, unit) in ((:UpperTriangular, :UPPER, false), (:LowerTriangular, :LOWER, false),
                              (:UnitUpperTriangular, :UPPER, true), (:UnitLowerTriangular, :LOWER, true))
    @eval Base.:\(a::$wrapper{T,<:TenonMatrix{T}}, b::TenonVecOrMat{T}) where {T<:Number4} =
        solve(parent(a), b, Raw.$(Symbol(:TENON_SOLVE_, kind)), $unit)
end

function LinearAlgebra.inv(a::TenonMatrix{T}) where {T<:Number4}
    result = copy(square(a))
    with_matrices(result) do matrix
        solved(retried(() -> Raw.tenon_inverse(matrix, C_NULL, C_NULL, Ref(matrix))))
    end
    return result
end

function LinearAlgebra.det(a::TenonMatrix{T}) where {T<:Number4}
    result = fresh(a, T)
    with_matrices(square(a)) do matrix
        solved(retried(() -> Raw.tenon_det(matrix, C_NULL, C_NULL, Ref(result.handle))))
    end
    return Array(result)[]
end

function LinearAlgebra.logabsdet(a::TenonMatrix{T}) where {T<:Number4}
    sign, log = fresh(a, T), fresh(a, real(T))
    with_matrices(square(a)) do matrix
        solved(retried(() -> Raw.tenon_slogdet(matrix, C_NULL, C_NULL, Ref(sign.handle), Ref(log.handle))))
    end
    return Array(log)[], Array(sign)[]
end

function Base.exp(a::TenonMatrix{T}) where {T<:Number4}
    result = similar(square(a))
    with_matrices(a, result) do matrix, into
        solved(retried(() -> Raw.tenon_expm(matrix, C_NULL, C_NULL, Ref(into))))
    end
    return result
end

LinearAlgebra.conj!(a::TenonArray{<:Complex}) = a .= conj.(a)
LinearAlgebra.rmul!(a::TenonArray, s::Number) = a .= a .* s
LinearAlgebra.lmul!(s::Number, a::TenonArray) = a .= s .* a
