# Objects that own one reference to a handle of the library. Finalizers only release handles, which is allowed on any
# thread at any time; Julia memory that was lent to the library is handled in roots.jl.
abstract type Object end

for (name, raw) in ((:Device, :device), (:Stream, :stream), (:Program, :program), (:Operation, :operation),
                    (:Context, :context), (:Elementwise, :elementwise), (:Reduction, :reduction),
                    (:Texture, :texture))
    type, release = Symbol(:tenon_, raw), Symbol(:tenon_, raw, :_release)
    @eval mutable struct $name <: Object
        handle::Ptr{Raw.$type}
        $name(handle::Ptr{Raw.$type}) = finalizer(free, new(handle))
    end
    @eval Base.unsafe_convert(::Type{Ptr{Raw.$type}}, object::$name) = object.handle
    @eval function free(object::$name)
        Raw.$release(object.handle)
        object.handle = C_NULL
        return nothing
    end
end

"The text that `f(object, out)` returns through `out`."
function text(f, object)
    out = Ref{Ptr{UInt8}}(C_NULL)
    check(f(object, out))
    return unsafe_string(out[])
end

@doc "A device's default context, or a context with other settings: `Context(memory_limit_bytes = 2^30)`." Context
function Context(; options...)
    settings = Ref(Raw.make(Raw.tenon_context_options; options...))
    return Context(made(out -> Raw.tenon_context_create(settings, out), Raw.tenon_context))
end

"A device by name, such as \"cpu\", \"cuda:0\" or \"best\", of the default context or the given one."
Device(name::AbstractString, context = C_NULL) =
    Device(made(out -> Raw.tenon_context_device(context, name, out), Raw.tenon_device))

Base.show(io::IO, device::Device) =
    print(io, "Tenon.Device(\"", text(Raw.tenon_device_name, device), "\"), ",
          text(Raw.tenon_device_description, device))

function info(device::Device)
    found = Ref(Raw.make(Raw.tenon_device_info))
    check(Raw.tenon_device_get_info(device, found))
    return found[]
end

"Whether the device's memory is host memory."
ishost(device::Device) = info(device).kind == Raw.TENON_DEVICE_CPU

# The default device of calls that name none.
const CHOSEN = Ref{Union{Nothing,Device}}(nothing)
const HOST = Ref{Union{Nothing,Device}}(nothing)

"The device of arrays and kernels that name none: the best one, unless `device!` chose another."
function device()
    CHOSEN[] === nothing && (CHOSEN[] = Device("best"))
    return CHOSEN[]::Device
end

"Sets the device of arrays and kernels that name none."
device!(chosen::Device) = CHOSEN[] = chosen
device!(name::AbstractString) = device!(Device(name))

function host()
    HOST[] === nothing && (HOST[] = Device("cpu"))
    return HOST[]::Device
end

"Waits for all work on the device."
synchronize(device::Device = device()) = check(Raw.tenon_device_synchronize(device))

"A new stream of a device. Without one, functions with the argument `stream` use the device's default stream."
Stream(device::Device) =
    Stream(made(out -> Raw.tenon_stream_create(device, C_NULL, out), Raw.tenon_stream))

"""
    Tenon.Stream(device, native; keep = nothing)

A stream of another library (a `CUstream` as a number). `keep` stays alive as long as the library needs the stream.
"""
function Stream(device::Device, native::Integer; keep = nothing)
    reclaim()
    root = Root(keep)
    made_of = Ref{Ptr{Raw.tenon_stream}}(C_NULL)
    status = Raw.tenon_stream_wrap(device, UInt64(native), destroy_function(), root.semaphore, made_of)
    status == Raw.TENON_OK || forget(root) # a failed call does not take ownership
    check(status)
    keep_alive(root)
    return Stream(made_of[])
end

synchronize(stream::Stream) = check(Raw.tenon_stream_synchronize(stream))

const Streamed = Union{Stream,Ptr{Cvoid}} # C_NULL: the default stream
