// pch/tool.hpp: what most files of the command include, compiled once.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <tenon/tenon.h>
