# Creates and drops objects in several tasks; the collector drops them on any thread. Memory use must not grow after the
# first tenth, and the process may exit meanwhile. This runs in separate processes with several threads.
using Test

const CYCLES = raw"""
using Tenon
const device = Tenon.Device(get(ENV, "TENON_TEST_DEVICE", "cpu:0"))
Tenon.device!(device)
const kernel = Tenon.Kernel("__global__ void k(float* x) { x[threadIdx.x] += 1; }", "k")
const Raw = Tenon.Raw

function graph!(x)
    graph, stream = Ref{Ptr{Raw.tenon_graph}}(C_NULL), Ref{Ptr{Raw.tenon_stream}}(C_NULL)
    copy = Ref{Ptr{Raw.tenon_array}}(C_NULL)
    Tenon.check(Raw.tenon_graph_create(device, graph))
    Tenon.check(Raw.tenon_graph_begin(graph[], stream))
    Tenon.check(Raw.tenon_array_convert(x, Raw.TENON_FLOAT64, C_NULL, stream[], copy))
    Tenon.check(Raw.tenon_graph_end(graph[]))
    Tenon.check(Raw.tenon_graph_launch(graph[], C_NULL))
    Raw.tenon_stream_release(stream[])
    Raw.tenon_array_release(copy[])
    Raw.tenon_graph_release(graph[])
end

function dlpack(x)
    tensor, back = Ref{Ptr{Raw.DLManagedTensorVersioned}}(C_NULL), Ref{Ptr{Raw.tenon_array}}(C_NULL)
    Tenon.check(Raw.tenon_array_to_dlpack_versioned(x, 0, C_NULL, tensor))
    Tenon.check(Raw.tenon_array_from_dlpack_versioned(C_NULL, tensor[], C_NULL, back))
    Raw.tenon_array_release(back[])
end

# Ten objects; those that Julia's types own are dropped by the collector.
function turn()
    x = Tenon.zeros(Float32, 8, 4)
    y = x[1:4, 2:3]
    Tenon.bind(kernel, x; threads = 4)()
    Tenon.bind(kernel, reshape(x, 32); threads = 4)()
    graph!(x)
    dlpack(x)
    return length(y)
end

function turns(count)
    tasks = [Threads.@spawn(for _ in 1:count; turn(); end) for _ in 1:Threads.nthreads()]
    foreach(wait, tasks)
end

function amounts()
    GC.gc(); GC.gc()
    info = Ref(Raw.make(Raw.tenon_memory_info))
    Tenon.check(Raw.tenon_device_get_memory_info(device, info))
    return parse(Int, split(read("/proc/self/statm", String))[2]) * 4096, Int(info[].used)
end
"""

const FLAT = CYCLES * raw"""
# A million objects, and a tenth of that on a GPU, where each turn costs several calls of the driver. Each tenth ends with a collection, so that the same number of objects is alive in each.
const tenths = map(_ -> (turns(Tenon.ishost(device) ? 2500 : 250); amounts()), 1:10)
println(join((tenths[1]..., tenths[10]...), " "))
"""

const ENDS = CYCLES * raw"""
const done = Threads.Atomic{Int}(0)
for _ in 2:Threads.nthreads()
    Threads.@spawn while true; turn(); Threads.atomic_add!(done, 1); end
end
while done[] < 200; turn(); end
# C's exit: Julia's own runs all finalizers first, while other threads still register some, which crashes Julia 1.5.
ccall(:exit, Cvoid, (Cint,), 7)
"""

julia(text) = setenv(`$(Base.julia_cmd()) --startup-file=no --compile=yes -O1 -e $text`,
                     merge(Dict(ENV), Dict("JULIA_NUM_THREADS" => "4")))

@testset "cycles leave memory where it was" begin
    early, early_used, late, late_used = parse.(Int, split(read(julia(FLAT), String)))
    println("resident after the first tenth and at the end: ", early, " and ", late)
    @test early_used == late_used
    @test late <= early + (8 << 20)
end

@testset "the process may end while threads work" begin
    for _ in 1:2
        process = run(ignorestatus(julia(ENDS)))
        @test process.exitcode == 7 && process.termsignal == 0
    end
end
