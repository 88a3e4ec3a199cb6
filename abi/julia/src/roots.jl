# Julia's memory in the library's hands. The library says that it needs the memory no more by calling a destroy
# function, on whatever thread finds that out, which may be one that Julia does not know: there no Julia code may run.
# The destroy function is therefore the C library's own sem_post on a semaphore of this root, and Julia looks at the
# semaphore when it comes by.
mutable struct Root
    object::Any
    semaphore::Ptr{Cvoid}
    function Root(object)
        semaphore = Libc.calloc(1, SEMAPHORE_BYTES)
        semaphore == C_NULL && throw(OutOfMemoryError())
        ccall(:sem_init, Cint, (Ptr{Cvoid}, Cint, Cuint), semaphore, 0, 0)
        return new(object, semaphore)
    end
end

const SEMAPHORE_BYTES = 64 # sizeof(sem_t) is 16 or 32 on Linux
const PENDING = Root[]     # roots that nothing in Julia refers to any more, and whose memory is still used
const PENDING_LOCK = Threads.SpinLock()

destroy_function() = cglobal(:sem_post)

"Whether the library has given the memory back; then the root needs no more care."
function settled(root::Root)
    root.semaphore == C_NULL && return true
    ccall(:sem_trywait, Cint, (Ptr{Cvoid},), root.semaphore) == 0 || return false
    return forget(root)
end

function forget(root::Root)
    Libc.free(root.semaphore)
    root.semaphore = C_NULL
    root.object = nothing
    return true
end

# The finalizer. It may interrupt whatever holds the lock on this very thread, so it never waits: it comes again at the
# next collection instead.
function keep_or_drop(root::Root)
    settled(root) && return nothing
    if trylock(PENDING_LOCK)
        try
            push!(PENDING, root)
        finally
            unlock(PENDING_LOCK)
        end
    else
        finalizer(keep_or_drop, root)
    end
    return nothing
end

"""
Lets go of Julia's arrays that the library has given back since nothing in Julia referred to them. Every lending does
so, and every collection that follows a lack of memory. Returns how many are still in use.
"""
function reclaim()
    isempty(PENDING) && return 0
    trylock(PENDING_LOCK) || return length(PENDING)
    try
        filter!(root -> !settled(root), PENDING)
        return length(PENDING)
    finally
        unlock(PENDING_LOCK)
    end
end
