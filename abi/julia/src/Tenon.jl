"""
Tenon for Julia: arrays and CUDA kernels shared between languages. `Tenon.Raw` has every C function; `Tenon.check` turns a
status into a `TenonError`. The library is the one named by the environment variable TENON_LIBRARY, else libtenon.so.1.
"""
module Tenon

include("raw.jl")
using .Raw

"A failed call: its status and the text that says what was wrong and what would be right."
struct TenonError <: Exception
    status::Int32
    message::String
end

Base.showerror(io::IO, e::TenonError) = print(io, unsafe_string(Raw.tenon_status_name(e.status)), ": ", e.message)

# NOT_READY is an answer, and leaves the error record alone.
message_of(status::Int32) = status == Raw.TENON_ERROR_NOT_READY ? "the work is not done yet" : unsafe_string(Raw.tenon_error_last_message())

"Throws a `TenonError` unless `status` is TENON_OK."
check(status::Int32) =
    status == Raw.TENON_OK ? nothing : throw(TenonError(status, message_of(status)))

"Opens another library than the one found by itself."
load(path::AbstractString) = Raw.load(path)

function __init__()
    path = get(ENV, "TENON_LIBRARY", "libtenon.so.1")
    try
        Raw.load(path)
    catch error
        @warn "Tenon's library was not opened; call Tenon.load(path)" path error
    end
end

end
