# Julia memory that the library uses. When the library no longer needs the memory, it calls a destroy function, on any
# thread, which may be a foreign thread on which no Julia code may run. The destroy function is therefore the C
# library's sem_post on a semaphore of this root, and Julia checks the semaphore later.
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
const PENDING = Root[]     # roots that are kept here, because nothing else may refer to them while they are in use
const PENDING_LOCK = Threads.SpinLock()

destroy_function() = cglobal(:sem_post)

"Whether the library has released the memory; the root can then be forgotten."
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

# The finalizer. It may interrupt code on the same thread that holds the lock, so it never waits for the lock: it runs
# again at the next collection instead.
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
Keeps the root until the library has released it. An object with a finalizer of its own, such as another package's GPU
array, must be reachable until then: of objects that become garbage together, any may be finalized first.
"""
function keep_alive(root::Root)
    root.object === nothing || root.object isa Array || return lock(() -> push!(PENDING, root), PENDING_LOCK)
    finalizer(keep_or_drop, root)
end

"""
Releases the Julia objects that were lent to the library and that it no longer uses. It runs whenever memory
is lent, and when the collector runs because memory ran out. Returns the number of those that are
still in use, except for arrays that Julia still refers to.
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
