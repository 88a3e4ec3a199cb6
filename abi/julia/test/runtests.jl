# The tests of the Julia package. They need the library, but no GPU.
using Test

@testset "Tenon" begin
    include("layout.jl")
    include("raw.jl")
    include("arrays.jl")
    include("kernels.jl")
    include("compute.jl")
    include("cycles.jl")
end
