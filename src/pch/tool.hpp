// pch/tool.hpp: headers that most files of the command include, precompiled.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <tenon/tenon.h>
