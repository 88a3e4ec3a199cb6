"""
A failed call: `status` (one of `Tenon.Raw.TENON_ERROR_*`), `message`, which states what was wrong and what would be
right, and, if known, the compiler's `log`, the vendor's `call` with its `code`, and the `batch` index.
"""
struct TenonError <: Exception
    status::Int32
    message::String
    log::String
    call::String
    code::Int
    batch::Int
end

TenonError(status, message) = TenonError(status, message, "", "", 0, -1)

function Base.showerror(io::IO, e::TenonError)
    print(io, unsafe_string(Raw.tenon_status_name(e.status)), ": ", e.message)
    isempty(e.log) || occursin(e.log, e.message) || print(io, "\n", e.log)
end

"The output of a function of the error object, or `default`."
function asked(f, error, default::T) where {T}
    out = Ref{T}(default)
    return f(error, out) == Raw.TENON_OK ? out[] : default
end

text_or_empty(p::Ptr{UInt8}) = p == C_NULL ? "" : unsafe_string(p)

# The thread's last error. NOT_READY is a result and not an error, so it is not recorded.
@noinline function failure(status::Int32)
    status == Raw.TENON_ERROR_NOT_READY && return TenonError(status, "the work is not done yet")
    record = Ref{Ptr{Raw.tenon_error}}(C_NULL)
    Raw.tenon_error_last(record)
    record[] == C_NULL && return TenonError(status, unsafe_string(Raw.tenon_error_last_message()))
    try
        message = text_or_empty(asked(Raw.tenon_error_message, record[], Ptr{UInt8}(C_NULL)))
        log = text_or_empty(asked(Raw.tenon_error_log, record[], Ptr{UInt8}(C_NULL)))
        call, code = Ref(Ptr{UInt8}(C_NULL)), Ref(Int64(0))
        Raw.tenon_error_native(record[], call, code)
        batch = asked(Raw.tenon_error_batch_index, record[], Int64(-1))
        return TenonError(status, message, log, text_or_empty(call[]), code[], batch)
    finally
        Raw.tenon_error_release(record[])
    end
end

"Throws a `TenonError` unless `status` is TENON_OK."
@inline check(status::Int32) = status == Raw.TENON_OK ? nothing : throw(failure(status))

"""
Calls `f`, which returns a status. If memory ran out, garbage in Julia may still hold memory: runs the collector and
calls `f` once more.
"""
@inline function retried(f)
    status = f()
    status == Raw.TENON_ERROR_OUT_OF_MEMORY || return status
    collect_garbage()
    return f()
end

@noinline function collect_garbage()
    GC.gc(true)
    reclaim()
end

"The handle of type `T` that `f(out)` creates; the caller owns it."
@inline function made(f, ::Type{T}) where {T}
    out = Ref{Ptr{T}}(C_NULL)
    check(retried(() -> f(out)))
    return out[]
end
