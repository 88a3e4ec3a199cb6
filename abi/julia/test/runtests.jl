# The tests of the Julia package. They need the library, and run on the device that TENON_TEST_DEVICE names, such as
# "cuda:0"; without it on the CPU device.
using Test, Tenon

const DEVICE = Tenon.Device(get(ENV, "TENON_TEST_DEVICE", "cpu:0"))
const ON_HOST = Tenon.ishost(DEVICE)
Tenon.device!(DEVICE)

@testset "Tenon" begin
    include("layout.jl")
    include("raw.jl")
    include("arrays.jl")
    include("kernels.jl")
    include("compute.jl")
    ON_HOST || include("cuda.jl")
    get(ENV, "TENON_TEST_CYCLES", "yes") == "no" || include("cycles.jl") # a minute, in processes of its own
end
