# Textures and surfaces: memory that kernels read by coordinates, with filtering, and write by texel.

const ADDRESSES = (clamp = Raw.TENON_ADDRESS_CLAMP, wrap = Raw.TENON_ADDRESS_WRAP, mirror = Raw.TENON_ADDRESS_MIRROR,
                   border = Raw.TENON_ADDRESS_BORDER)
const FILTERS = (point = Raw.TENON_FILTER_POINT, linear = Raw.TENON_FILTER_LINEAR)

choice(value, among, what) = haskey(among, value) ? among[value] :
    throw(ArgumentError("$what is one of $(join(keys(among), ", ")), and not $value"))

@doc """
    Tenon.Texture(source; channels = 0, layered = false, cube = false, address = :clamp, filter = :point,
                  normalized = false, normalized_reads = false, border = 0, surface = false, gather = false,
                  share = false, stream = C_NULL)

A texture with the elements of an array: the argument of a kernel for a parameter of type `cudaTextureObject_t`. The
axes of `source` are the channels (if `channels` is not 0), width, height, depth, the 6 faces (`cube`) and the layers
(`layered`). `address` is one of `:clamp`, `:wrap`, `:mirror`, `:border`, or a tuple of them for x, y and z; `border` is a
number, or a tuple of one per channel. `share` reads the array's own memory instead of a copy. `Tenon.Surface(texture)`
is a texture that was made with `surface = true` as an argument for a `cudaSurfaceObject_t`.
""" Texture
function Texture(source::TenonArray; dimensions = 0, channels = 0, layered = false, cube = false, address = :clamp,
                 filter = :point, normalized = false, normalized_reads = false, border = 0, surface = false,
                 gather = false, share = false, stream = C_NULL)
    axes = dimensions == 0 ? ndims(source) - layered - cube - (channels != 0) : dimensions
    modes = address isa Tuple ? address : ntuple(_ -> address, clamp(axes, 1, 3))
    codes = ntuple(i -> i <= length(modes) ? choice(modes[i], ADDRESSES, "address") : Raw.TENON_ADDRESS_CLAMP, 3)
    colors = ntuple(i -> Float32(border isa Tuple ? get(border, i, 0) : border), 4)
    options = Ref(Raw.make(Raw.tenon_texture_options; dimensions = Int32(dimensions), channels = Int32(channels),
                           layered = Int32(layered), cube = Int32(cube), normalized_coordinates = Int32(normalized),
                           normalized_reads = Int32(normalized_reads), surface = Int32(surface),
                           gather = Int32(gather), share = Int32(share), filter = choice(filter, FILTERS, "filter"),
                           address_x = codes[1], address_y = codes[2], address_z = codes[3], border = colors))
    return Texture(made(out -> Raw.tenon_texture_create(source, options, stream, out), Raw.tenon_texture))
end

"A texture that was made with `surface = true`, as the argument of a kernel for a `cudaSurfaceObject_t`."
struct Surface
    texture::Texture
end

"Copies an array of the first source's type and size into the texture."
function update!(texture::Texture, source::TenonArray; stream = C_NULL)
    check(Raw.tenon_texture_update(texture, source, stream))
    return texture
end

"Copies the texture's elements into an array of the first source's type and size."
function read!(out::TenonArray, texture::Texture; stream = C_NULL)
    slot = Ref(out.handle)
    GC.@preserve out check(Raw.tenon_texture_read(texture, stream, slot))
    return out
end
read!(out::TenonArray, surface::Surface; stream = C_NULL) = read!(out, surface.texture; stream)
