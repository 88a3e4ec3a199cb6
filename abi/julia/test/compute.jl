# Broadcasting, reductions, linear algebra and transforms, compared with Julia's own.
using Test, LinearAlgebra, Tenon

logistic(x) = 1 / (1 + exp(-x))
Tenon.expression(::typeof(logistic), x) = "1 / (1 + exp(-$x))"

near(a, b) = eltype(a) == eltype(b) && size(a) == size(b) && isapprox(Array(a), b; rtol = 1e-5, nans = true)

@testset "a broadcast is one kernel, with Julia's types" begin
    a, b, v = Float32[-2 0.5; 3 NaN], Int32[1 2; 3 -4], [0.5, 2.0]
    x, y, w = TenonArray(a), TenonArray(b), TenonArray(v)
    kernels = length(Tenon.FUSED)
    z = 2 .* x .+ y .^ 2 ./ w .- 1
    @test near(z, 2 .* a .+ b .^ 2 ./ v .- 1) && z isa TenonMatrix{Float64} && length(Tenon.FUSED) == kernels + 1
    3 .* x .+ y .^ 2 ./ w .- 5
    @test length(Tenon.FUSED) == kernels + 1
    of_floats(x, y, w) = max.(x, 0) .+ ifelse.(x .> y, x, 1f0) .* logistic.(w') .- sqrt.(abs2.(x)) .^ 3
    @test near(of_floats(x, y, w), of_floats(a, b, v)) && near(map(-, x), -a)
    of_integers(y) = div.(y, 2) .+ mod.(y, Int32(3)) .- (y .& 3) .+ Float64.(y) .* π .* abs.(y) .+ sign.(y)
    @test near(of_integers(y), of_integers(b))
    tests(x) = isnan.(x) .| (x .== x)
    @test near(tests(x), Array(tests(a)))
    h = Float16[1, 2.5]
    @test near(TenonArray(h) .* Float16(1.5) .+ h, h .* Float16(1.5) .+ h)
    c = ComplexF64[1+2im 3; 4im 5]
    d = TenonArray(c)
    of_complex(d) = d' .+ abs.(d) .* 2f0 .+ exp.(d) .* (real.(d) .- imag.(conj.(d)))
    @test near(of_complex(d), of_complex(c))
    x .= 1
    x[:, 2] .= w .+ 0.5
    x .+= x
    @test x == [2 2; 2 5]
    host = zeros(2)
    host .= w .+ 1
    @test host == [1.5, 3] && (x .= [1, 2]) == [1 1; 2 2]
    @test_throws DimensionMismatch x .+ TenonArray([1.0, 2, 3])
    @test_throws ArgumentError (q -> q + 1).(x)
    @test_throws ArgumentError ifelse.(x .> y, x, 1.0)
    @test_throws ArgumentError Int8.(y)
    @test_throws ArgumentError TenonArray(UInt32[1]) .< TenonArray(Int32[-1])
end

@testset "reductions" begin
    a = Float32[1 -2 3; 4 5 -6]
    x = TenonArray(a)
    @test sum(x) ≈ sum(a) && prod(x) ≈ prod(a) && maximum(abs, x) == 6 && minimum(x) == -6
    @test near(sum(x; dims = 1), sum(a; dims = 1)) && near(sum(abs2, x; dims = (1, 2)), sum(abs2, a; dims = (1, 2)))
    @test near(maximum(x'; dims = 2), maximum(a'; dims = 2)) && sum(TenonArray(Int32[1, 2])) === 3
    @test any(x .> 4) && !all(x .> 4) && all(isfinite, x) && sum(x; init = 10) ≈ 15
    @test isnan(maximum(TenonArray([1.0, NaN, 2.0]))) && sum(view(x, :, 2:3)) == 0
    @test_throws ArgumentError mapreduce(identity, -, x)
end

# The two values of a conjugate pair have the same real part, except for rounding.
in_order(values) = sort(complex(values); by = λ -> (round(real(λ); digits = 3), imag(λ)))

@testset "linear algebra of $T" for T in (Float32, ComplexF64)
    entry(i, j) = T <: Complex ? complex((7i + 3j) % 11, (5i + j) % 7) - 3 : (7i + 3j * j) % 11 - 3
    make(m, n) = T[entry(i, j) / 4 for i in 1:m, j in 1:n]
    a, b, v = make(5, 4), make(4, 3), make(4, 1)[:]
    x, y, w = TenonArray(a), TenonArray(b), TenonArray(v)
    @test near(x * y, a * b) && near(x * w, a * v) && near(y' * w, b' * v) && near(transpose(y) * x', transpose(b) * a')
    c = make(5, 3)
    z = TenonArray(c)
    @test mul!(z, x, y, 2, -1) === z && near(z, 2 * a * b - c)
    @test_throws DimensionMismatch x * x
    @test dot(w, w) ≈ dot(v, v) && norm(x) ≈ norm(a) && norm(x, Inf) ≈ norm(a, Inf)

    s = make(4, 4) + 3I
    h = s's + I
    p, q = TenonArray(s), TenonArray(h)
    @test near(p \ w, s \ v) && near(p \ y, s \ b) && near(x \ TenonArray(c), a \ c) && near(inv(p), inv(s))
    @test det(p) ≈ det(s) && logabsdet(p)[1] ≈ logabsdet(s)[1] && near(exp(p), exp(s))
    @test near(UpperTriangular(p) \ w, UpperTriangular(s) \ v)
    @test near(UnitLowerTriangular(p) \ y, UnitLowerTriangular(s) \ b)
    f, g = lu(p), lu(s)
    @test f isa LU && near(f.factors, g.factors) && f.p == g.p && near(f \ y, s \ b)
    f, g = cholesky(q), cholesky(Hermitian(h))
    @test f isa Cholesky && Array(f.U) ≈ Array(g.U) && near(f \ w, h \ v)
    @test near(cholesky(Hermitian(q, :L)) \ w, h \ v)
    f = qr(x)
    @test Array(f.Q * f.R) ≈ a && Array(f.Q' * f.Q) ≈ I && near(f \ TenonArray(c), a \ c)
    @test size(qr(x; full = true).Q) == (5, 5)
    u, σ, vt = svd(x)
    @test Array(u) * Diagonal(σ) * Array(vt)' ≈ a && σ ≈ svdvals(a) && svdvals(x) ≈ σ && u isa TenonMatrix
    @test size(svd(x; full = true).U) == (5, 5)
    values, vectors = eigen(Hermitian(q))
    @test values ≈ eigvals(Hermitian(h)) && h * Array(vectors) ≈ Array(vectors) * Diagonal(values)
    @test eigvals(Hermitian(q, :L)) ≈ values
    values, vectors = eigen(p)
    @test in_order(values) ≈ in_order(eigvals(s)) && in_order(eigvals(p)) ≈ in_order(values)
    @test s * Array(vectors) ≈ Array(vectors) * Diagonal(values) && issorted(values; by = λ -> (real(λ), imag(λ)))

    singular = TenonArray(T[1 2; 2 4])
    @test_throws SingularException singular \ TenonArray(T[1, 2])
    @test_throws SingularException lu(singular)
    @test lu(singular; check = false).info == 2
    @test_throws PosDefException cholesky(TenonArray(T[-1 0; 0 1]))
    @test_throws TenonError svd(TenonArray(T[NaN 1; 1 1]))
end

# The sum of x[j] exp(-2πijk/n), by definition
naive(x, sign = -1) = [sum(x[j+1] * cispi(sign * 2j * k / length(x)) for j in 0:length(x)-1) for k in 0:length(x)-1]
cispi(x) = complex(cospi(x), sinpi(x))

@testset "Fourier transforms" begin
    v = ComplexF64[1, 2im, -3, 4 + im, 0.5]
    x = TenonArray(v)
    @test near(Tenon.fft(x), naive(v)) && near(Tenon.bfft(x), naive(v, 1)) && near(Tenon.ifft(Tenon.fft(x)), v)
    r = Float32[1 4 2; 3 -1 5; 0 2 2; 7 1 1]
    y = TenonArray(r)
    columns = hcat((ComplexF32.(naive(r[:, j])) for j in 1:3)...)
    both = vcat((transpose(ComplexF32.(naive(columns[i, :]))) for i in 1:4)...)
    @test near(Tenon.fft(y, 1), columns) && near(Tenon.fft(y), both) && near(Tenon.rfft(y), both[1:3, :])
    @test near(Tenon.rfft(y, 1), columns[1:3, :]) && near(Tenon.irfft(Tenon.rfft(y), 4), r)
    @test near(Tenon.brfft(Tenon.rfft(y, 1), 4, 1), 4 * r)
    p = Tenon.plan_fft(x)
    @test near(p \ (p * x), v) && near(inv(p) * (p * x), v) && mul!(similar(x), p, x) == Tenon.fft(x)
    b = Tenon.plan_bfft(x)
    @test near(b \ (b * x), v)
    half = Tenon.plan_rfft(y)
    @test near(half \ (half * y), r)
    @test Tenon.fft!(x) === x && near(x, naive(v))
    @test_throws DimensionMismatch p * TenonArray(ComplexF64[1, 2])
    @test_throws DimensionMismatch Tenon.irfft(Tenon.rfft(y), 7)
    @test_throws ArgumentError Tenon.fft(x, 2)
end
