// tool/commands.cpp: the table of commands, the source for parsing, --help, the man page and the completions of every
// shell.
#include "tool/commands.hpp"

namespace tool {

const ExitCode kExitCodes[4] = {
    {kDone, "done"},
    {kFailed, "the operation failed: a test, a compile, a package, a launch"},
    {kUsage, "the command line is wrong; nothing was done"},
    {kMissing,
     "something is missing on this machine: a file, package, device, library or compiler; the message says what to "
     "install"},
};

const std::vector<Variable> kVariables = {
    {"TENON_PLUGIN_PATH", "absolute directories, separated by colons, in which packages are found by name"},
    {"TENON_CACHE_DIR", "directory of compiled programs; default: $XDG_CACHE_HOME/tenon, else ~/.cache/tenon"},
    {"TENON_TUNING_DIR",
     "directory of tuning records; default: $XDG_DATA_HOME/tenon/tuning, else ~/.local/share/tenon/tuning"},
    {"TENON_SIGNED_PACKAGES", "1: packages need a signature by a trusted key"},
    {"TENON_TRUSTED_KEYS",
     "the trust list; default: $XDG_CONFIG_HOME/tenon/trusted_keys, else ~/.config/tenon/trusted_keys"},
    {"TENON_DETERMINISTIC",
     "1: operations that do not give the same bits each time are refused, and no tuning records are used"},
    {"TENON_CUDA_PATH", "where the CUDA libraries are searched for first"},
    {"NO_COLOR", "if it is not empty, no colours are used; nor are they if the output is not a terminal"},
};

const std::vector<Group>& groups() {
  static const std::vector<Group> list = {
      {"plugin", "packages of kernels"},
      {"cache", "cached compiled programs"},
  };
  return list;
}

namespace {

const Option kVerbose = {"verbose", 'v', Takes::nothing, "", "print more"};
const Option kDevices = {"device", 'd', Takes::device, "DEVICE", "run on this device instead", true};
const Option kOperations = {"op", 'o', Takes::text, "OPERATION", "this operation only", true};
const Option kGiven = {
    "given", 'g', Takes::text, "NAME=VALUE", "an input or scalar, as in a test: x=\"normal(1000, 1000)\", sigma=3",
    true};
const Option kTypes = {"types", 't', Takes::text, "TYPES", "use only these dtypes: T=float32"};
const Option kMode = {"mode", 'm', Takes::text, "MODE",
                      "fast, debug, or check, which finds undefined behaviour on the CPU"};
const Option kFastMath = {"fast-math", 0, Takes::nothing, "", "approximate division and functions"};
const Positional kPackage = {"PACKAGE", Takes::file,
                             "a directory, tar file or shared object; or a name, of a package on the search path"};

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> list = {
      {"info",
       "show devices, compilers and libraries found, and why; the cache; versions",
       "Reports what Tenon found on this machine and why: the devices, the compiler of each, the CUDA libraries that "
       "were opened and from where, and the directory of compiled programs.",
       {},
       {},
       run_info},
      {"run",
       "run a kernel file, or an operation, on arrays in files",
       "Compiles a file of CUDA C and runs one of its kernels, or calls an operation of a package. The words that "
       "follow are its arguments, in order or as NAME=VALUE: a number; an array in a file, x.npy, pack.npz:name, or "
       "photo.png (0 to 1 in float32, or the file's own values in uint8 or uint16; a colour image is an array of "
       "channels x rows x columns); new:3x4 or new:3x4:float32, an array of zeros; like:NAME, zeros of the shape of "
       "another array; size:NAME and extent:NAME:AXIS, numbers. Operations make their outputs.\n"
       "By default there is one thread per element of the first array that is written. Arrays that are written are "
       "described, and saved by -o.\n\n"
       "  tenon run saxpy.cu x.npy y.npy 2.0 size:x -o y=out.npy\n"
       "  tenon run filters.cu:blur<float> photo.png like:0 3 -o blurred.png\n"
       "  tenon run image/gaussian_filter photo.png sigma=3 axes=2 -o blurred.png",
       {{"WHAT", Takes::file, "FILE.cu (the kernel of the file's name), FILE.cu:KERNEL, or PACKAGE/OPERATION"},
        {"ARGUMENT", Takes::file, "as above", 0, -1}},
       {{"output", 'o', Takes::file, "[NAME=]FILE", "save this array, or the one written last, as .npy, .npz or .png",
         true},
        {"device", 'd', Takes::device, "DEVICE", "default: cuda:0 if there is one, else cpu:0"},
        {"threads", 't', Takes::text, "EXTENTS", "number of threads: 1000, 640x480, or the name of an array"},
        {"grid", 'g', Takes::text, "EXTENTS", "number of blocks instead"},
        {"block", 'b', Takes::text, "EXTENTS", "threads of a block: 256, 32x8"},
        {"shared", 's', Takes::text, "BYTES", "dynamic shared memory"},
        kMode,
        kFastMath},
       run_run,
       true},
      {"compile",
       "compile a kernel file for a device, or for any architecture without a GPU",
       "Compiles a file of CUDA C and reports what its kernels use: registers, shared memory, stack, spills. With "
       "--arch only NVRTC is needed; otherwise the file is compiled for a device, or taken from the cache. "
       "Templates are compiled for the instances that are named.\n\n"
       "  tenon compile saxpy.cu --arch sm_80 --arch sm_90 -o saxpy.cubin\n"
       "  tenon compile filters.cu -k 'blur<float, 3>' --device cpu:0 -o filters.so",
       {{"FILE", Takes::file, "FILE.cu or FILE.cu:KERNEL"}},
       {{"arch", 'a', Takes::text, "ARCHITECTURE", "sm_90, compute_80 and the like", true},
        {"device", 'd', Takes::device, "DEVICE", "default: cuda:0 if there is one, else cpu:0", true},
        {"kernel", 'k', Takes::text, "KERNEL", "a kernel, or an instance of a template", true},
        {"output", 'o', Takes::file, "FILE",
         "write the cubin, or the CPU's shared object; with several architectures, the name gets the architecture"},
        {"ptx", 'p', Takes::nothing, "", "write PTX instead"},
        kMode,
        kFastMath},
       run_compile,
       true},
      {"plugin new",
       "write a package to start from",
       "Writes a package with one operation, its gradient and its tests, and a program in C and one in Python that "
       "call it.\n\n"
       "  tenon plugin new saxpy && tenon plugin test saxpy",
       {{"NAME", Takes::text, "of the package and its operation: lower-case letters, digits and _"}},
       {{"in", 'i', Takes::directory, "DIRECTORY", "where the package's directory is made; default: here"}},
       run_plugin_new},
      {"plugin check",
       "check contracts, and compile packages for a device",
       "Reads packages and reports the first error of each as FILE:LINE:COLUMN. With --device the kernels are compiled "
       "too.",
       {{"PACKAGE", Takes::file, "a directory or tar file", 1, -1}},
       {{"device", 'd', Takes::device, "DEVICE", "compile for this device, as cpu:0", true},
        {"signed", 0, Takes::nothing, "", "refuse packages that are not signed by a trusted key"},
        {"trust", 0, Takes::text, "KEY", "a public key to trust, besides those of the trust list", true}},
       run_plugin_check},
      {"plugin test",
       "run the self-tests of a package",
       "Runs the tests that the contract declares: against expected values or expressions in float64, against the "
       "CPU's results, and gradients against finite differences. They run on cpu:0, and on cuda:0 if there is one.",
       {kPackage},
       {kDevices, kOperations, {"verbose", 'v', Takes::nothing, "", "print every case"}},
       run_plugin_test},
      {"plugin bench",
       "measure the operations of a package",
       "Measures how long operations take: the contract's `bench` cases, else its tests, or the arguments given. It "
       "prints the median, and the bytes of all arrays divided by that time.\n\n"
       "  tenon plugin bench elementwise/sigmoid --given x=\"normal(4096, 4096)\" --types T=float32",
       {kPackage},
       {kDevices,
        kOperations,
        kGiven,
        kTypes,
        {"seconds", 's', Takes::text, "SECONDS", "seconds that it may take in all; default: 1 per case"}},
       run_plugin_bench},
      {"plugin tune",
       "find the fastest values of tunables, and keep them",
       "Tries the values of the contract's tunables on the device and keeps the fastest for each case as a record, "
       "which later calls in every program use for similar problems.",
       {kPackage},
       {{"device", 'd', Takes::device, "DEVICE", "default: cuda:0 if there is one, else cpu:0"},
        kOperations,
        kGiven,
        kTypes,
        {"seconds", 's', Takes::text, "SECONDS", "seconds that it may take in all; default: 30 per operation"}},
       run_plugin_tune},
      {"plugin pack",
       "pack a package into one file",
       "Writes a package as one tar file, with the hashes of its files; the same bytes for the same content.",
       {{"PACKAGE", Takes::directory, "a directory"}},
       {{"output", 'o', Takes::file, "FILE", "default: NAME-VERSION.tar, here"}},
       run_plugin_pack},
      {"plugin sign",
       "sign a package",
       "Writes a package's signature, plugin.sig, with your key. Others add your public key, which is printed, to "
       "their trust list, ~/.config/tenon/trusted_keys, and then accept what you signed where signatures are required "
       "(TENON_SIGNED_PACKAGES=1, or `tenon plugin check --signed`). After any change, the package must be signed "
       "again.",
       {{"PACKAGE", Takes::directory, "a directory"}},
       {{"key", 'k', Takes::file, "FILE", "the secret key; default: ~/.config/tenon/signing_key"},
        {"new-key", 0, Takes::nothing, "", "make the key first"}},
       run_plugin_sign},
      {"plugin list",
       "packages on the search path",
       "Lists the packages in the directories of $TENON_PLUGIN_PATH and next to the installed library, with their "
       "errors.",
       {},
       {{"path", 'p', Takes::directory, "DIRECTORY", "search this absolute directory first", true}},
       run_plugin_list},
      {"plugin show",
       "show the contract of a package",
       "Shows a package's operations, or one of them, PACKAGE/OPERATION, with parameters, types, defaults, "
       "preconditions and tunables.",
       {kPackage},
       {kVerbose, {"source", 's', Takes::file, "FILE", "print this file of the package instead"}},
       run_plugin_show},
      {"cache list",
       "list the cached programs",
       "Lists the cached compiled programs, least recently used first.",
       {},
       {},
       run_cache_list},
      {"cache verify",
       "find damaged entries",
       "Reads every entry and computes its checksum again. Damaged ones are never used; --remove deletes them.",
       {},
       {{"remove", 'r', Takes::nothing, "", "remove damaged entries"}},
       run_cache_verify},
      {"cache export",
       "write all programs to one file",
       "Writes every compiled program to one file, for machines of the same kind. It holds the sources too.",
       {{"FILE", Takes::file, "is replaced if it exists"}},
       {},
       run_cache_export},
      {"cache import",
       "add the programs of such a file",
       "Adds the programs of a file that `tenon cache export` wrote. They are code that will run with your rights: "
       "import what you trust.",
       {{"FILE", Takes::file, "a file that `tenon cache export` wrote"}},
       {},
       run_cache_import},
      {"cache clear",
       "remove programs",
       "Removes list the cached programs; programs are then compiled again when they are needed.",
       {},
       {{"unused", 'u', Takes::text, "TIME", "only programs that were not used for that long: 30d, 12h"},
        {"keep", 'k', Takes::text, "BYTES", "keep the most recently used that fit: 500M, 2G"}},
       run_cache_clear},
      {"completion",
       "print the completions for a shell",
       "Prints the code that makes a shell complete this command's words.\n\n"
       "  tenon completion bash > ~/.local/share/bash-completion/completions/tenon\n"
       "  tenon completion zsh > \"${fpath[1]}/_tenon\"\n"
       "  tenon completion fish > ~/.config/fish/completions/tenon.fish",
       {{"SHELL", Takes::shell, "bash, zsh or fish"}},
       {},
       run_completion},
      {"manual", "print the man page", "Prints the man page in troff: tenon manual | man -l -", {}, {}, run_manual},
  };
  return list;
}

std::vector<Option> options_of(const Command& command) {
  std::vector<Option> out = command.options;
  out.push_back({"json", 0, Takes::nothing, "", "print one JSON document instead of text"});
  out.push_back({"help", 'h', Takes::nothing, "", "describe the command"});
  return out;
}

}  // namespace tool
