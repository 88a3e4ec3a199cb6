# Structs and unions of the raw layer.
@test Raw.make(Raw.tenon_launch; grid = (4, 1, 1)).struct_size == sizeof(Raw.tenon_launch)
@test Raw.unpack(Raw.pack(Raw.tenon_arg_value, 2f0), UInt64) == 0x40000000
@test_throws ErrorException Raw.pack(Raw.tenon_arg_value, (0.0, 0.0, 0.0))
@test_throws ErrorException Raw.make(Raw.tenon_launch; grids = 1)
