"""
Tenon for Julia: arrays and CUDA kernels shared between languages, on GPUs and on machines without one.

    using Tenon, LinearAlgebra
    x = TenonArray(rand(Float32, 1000, 1000))
    u, s, v = svd(x)
    y = 2 .* x .+ 1                                  # one kernel
    twice = Tenon.Kernel("__global__ void twice(float* x, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }", "twice")
    @launch elements = length(x) twice(x, length(x))

`Tenon.Raw` contains every C function; `Tenon.check` throws a `TenonError` for the status of a failed call.
"""
module Tenon

using LinearAlgebra
import Libdl

export TenonArray, TenonMatrix, TenonVector, TenonError, @launch

include("raw.jl")
using .Raw
include("errors.jl")
include("handles.jl")
include("roots.jl")
include("array.jl")
include("textures.jl")
include("kernels.jl")
include("broadcast.jl")
include("linalg.jl")
include("fft.jl")
include("library.jl")

function __init__()
    path = library_path()
    try
        load(path)
    catch error
        @warn "Tenon's library was not opened; call Tenon.load(path), or set TENON_LIBRARY" path error
    end
end

end
