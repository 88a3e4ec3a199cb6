# The library is searched for in this order: the environment variable TENON_LIBRARY; the entry library = "..." under
# [Tenon] in the LocalPreferences.toml of the active project; the library installed with this package; libtenon.so.1
# wherever the system's loader finds it.

"Opens a library other than the one found automatically."
function load(path::AbstractString)
    CHOSEN[] = HOST[] = nothing # they belong to the previous library
    return Raw.load(path)
end

const NAME = "libtenon.so.1"

function library_path()
    for found in (get(ENV, "TENON_LIBRARY", ""), preferred(Base.active_project()), installed(dirname(@__DIR__)))
        isempty(found) || return found
    end
    return NAME
end

# Preferences.jl is not needed to read one line, and Julia 1.5 has no TOML of its own.
function preferred(project)
    file = project === nothing ? "" : joinpath(dirname(project), "LocalPreferences.toml")
    isfile(file) || return ""
    section = ""
    for line in eachline(file)
        heading = match(r"^\s*\[([^\]]+)\]", line)
        heading === nothing || (section = strip(heading[1]))
        setting = match(r"^\s*library\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", line)
        section == "Tenon" && setting !== nothing && return String(something(setting[1], setting[2]))
    end
    return ""
end

# An installed package is PREFIX/share/tenon/julia/Tenon, its library PREFIX/lib or PREFIX/lib/x86_64-linux-gnu.
function installed(package)
    prefix = joinpath(package, "..", "..", "..", "..")
    for folder in ("lib/x86_64-linux-gnu", "lib", "lib64")
        path = normpath(joinpath(prefix, folder, NAME))
        isfile(path) && return path
    end
    return ""
end
