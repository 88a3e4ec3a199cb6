"""What a frozen program needs of the package: modules that are imported by name when they are first used, the library,
the compiled module, and the packages of kernels with their sources."""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

hiddenimports = collect_submodules("tenon", filter=lambda name: not name.startswith("tenon.__pyinstaller"))
# Shared objects as data, too: the package opens them by their paths, and they link nothing that has to be collected.
datas = collect_data_files("tenon") + collect_data_files("tenon", includes=["**/*.so", "**/*.so.*"])
