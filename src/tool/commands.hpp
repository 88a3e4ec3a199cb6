// tool/commands.hpp: the functions that the rows of the table run, defined in the files of their names here, in plugin/
// and in run/. Each returns the exit code, or throws Failure.
#pragma once
#include "tool/failure.hpp"
#include "tool/output.hpp"

namespace tool {

int run_info(const Arguments& arguments, Output& out);
int run_compile(const Arguments& arguments, Output& out);
int run_run(const Arguments& arguments, Output& out);
int run_plugin_new(const Arguments& arguments, Output& out);
int run_plugin_check(const Arguments& arguments, Output& out);
int run_plugin_test(const Arguments& arguments, Output& out);
int run_plugin_list(const Arguments& arguments, Output& out);
int run_plugin_show(const Arguments& arguments, Output& out);
int run_plugin_bench(const Arguments& arguments, Output& out);
int run_plugin_tune(const Arguments& arguments, Output& out);
int run_plugin_pack(const Arguments& arguments, Output& out);
int run_plugin_sign(const Arguments& arguments, Output& out);
int run_cache_list(const Arguments& arguments, Output& out);
int run_cache_verify(const Arguments& arguments, Output& out);
int run_cache_export(const Arguments& arguments, Output& out);
int run_cache_import(const Arguments& arguments, Output& out);
int run_cache_clear(const Arguments& arguments, Output& out);
int run_completion(const Arguments& arguments, Output& out);
int run_manual(const Arguments& arguments, Output& out);

}  // namespace tool
