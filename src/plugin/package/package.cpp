// plugin/package/package.cpp: checks that a contract and the files next to it agree.
#include "plugin/package/package.hpp"
#include <algorithm>
#include "base/sha256.hpp"
#include "kernel/source/includes.hpp"
#include "plugin/contract/json.hpp"

namespace tenon {

using namespace plugin;

Ref<Package> Package::create(Files files, const std::string& origin, bool from_memory, uint32_t flags) {
  auto package = Ref<Package>::adopt(new Package);
  package->files_ = std::move(files);
  package->origin_ = origin;
  package->from_memory_ = from_memory;
  package->flags_ = flags;
  if (const auto signature = package->files_.find(kSignatureFile);
      signature != package->files_.end()) {  // not part of the content: it signs the content
    if (signature->second.empty())
      fail(TENON_ERROR_IO, "%s/%s is empty: it is not a package's signature", origin.c_str(), kSignatureFile);
    package->signature_ = std::move(signature->second);
    package->files_.erase(signature);
  }
  package->read();
  return package;
}

Ref<Package> Package::of_host(const std::string& contract, const std::string& origin, uint32_t flags,
                              const std::string& object_hash, Ref<HostFunctions> functions) {
  auto package = Ref<Package>::adopt(new Package);
  package->files_["plugin.toml"] = contract;
  package->origin_ = origin;
  package->flags_ = flags;
  package->functions_ = std::move(functions);
  package->read();
  package->hash_ = base::sha256_hex("tenon host package 1\n" + package->hash_ + "\n" + object_hash + "\n");
  return package;
}

void Package::read() {
  contract_ = read_contract(origin_ + "/plugin.toml", files_.at("plugin.toml"));
  check_hashes();
  check_sources();
  check_includes();
  hash_ = content_hash(files_);
  in_use_.resize(contract_.operations.size());
}

void Package::check_signature(bool wanted, std::vector<std::string> trusted) {
  signed_ = plugin::check_signature(*this, signature_, wanted, trusted);
  trusted_keys_ = std::move(trusted);
}

// If hashes are listed, every file must have one: otherwise a file could be added unnoticed.
void Package::check_hashes() const {
  const Source& source = *contract_.source;
  if (contract_.hashes.empty()) return;
  for (size_t i = 0; i < contract_.hashes.size(); ++i) {
    const auto& [path, hash] = contract_.hashes[i];
    const Place place = contract_.hash_places[i];
    const auto found = files_.find(path);
    if (path == "plugin.toml") fault(source, place, "plugin.toml cannot hold its own hash");
    if (found == files_.end())
      fault(source, place, "\"%s\" is not a file of the package (.cu, .cuh, .h, .hpp, .inc)", path.c_str());
    const std::string is = base::sha256_hex(found->second);
    if (is != hash)
      fail(TENON_ERROR_IO,
           "%s:%u:%u: %s has the SHA-256 %s, but the contract has %s: the file was changed after packing",
           source.name.c_str(), place.line, place.column, path.c_str(), is.c_str(), hash.c_str());
  }
  for (const auto& [path, text] : files_) {
    bool listed = path == "plugin.toml";
    for (const auto& [name, hash] : contract_.hashes) listed = listed || name == path;
    if (!listed)
      fail(TENON_ERROR_IO, "%s: the file %s has no hash in [files]: if any file has a hash, every file must have one",
           source.name.c_str(), path.c_str());
  }
}

void Package::check_sources() const {
  for (const auto& operation : contract_.operations)
    for (const StepContract& step : operation->steps) {
      if (step.kind == StepContract::Kind::host && !host_function(step.text)) {
        if (!of_host())
          fault(*contract_.source, step.place,
                "%s is `host` code, but this package is not a shared object (tenon_plugin_load)",
                operation->name.c_str());
        fault(*contract_.source, step.place, "the host function \"%s\" is not registered; registered are: %s",
              step.text.c_str(), functions_->list().c_str());
      }
      check_step(*operation, step);
      if (step.kind != StepContract::Kind::kernel) continue;
      const auto found = files_.find(step.file);
      if (found == files_.end() || step.file == "plugin.toml")
        fault(*contract_.source, step.place, "the source \"%s\" of %s is not a file of the package", step.file.c_str(),
              operation->name.c_str());
      if (found->second.find('\0') != std::string::npos)
        fault(*contract_.source, step.place, "the source \"%s\" of %s has a NUL byte", step.file.c_str(),
              operation->name.c_str());
    }
}

// A package may only be built from files that its hash covers, and from headers of compilers: no other files of the
// machine.
void Package::check_includes() const {
  for (const auto& [path, text] : files_) {
    if (path == "plugin.toml") continue;
    const IncludeWords words = find_includes(text);
    const auto outside = [&](const std::string& name, const std::string& folder) {
      if (name.starts_with('/')) return true;
      int64_t depth = std::count(folder.begin(), folder.end(), '/');
      for (size_t begin = 0; begin < name.size();) {
        const size_t end = std::min(name.find('/', begin), name.size());
        const std::string step = name.substr(begin, end - begin);
        depth += step == ".." ? -1 : step != "." && !step.empty();
        if (depth < 0) return true;
        begin = end + 1;
      }
      return false;
    };
    for (const std::vector<std::string>* list : {&words.quoted, &words.angled})
      for (const std::string& name : *list)
        if (outside(name, list == &words.quoted ? path : ""))
          fail(TENON_ERROR_INVALID_ARGUMENT,
               "%s/%s names \"%s\", which is outside the package: a package may include only its own files and those "
               "that come with compilers",
               origin_.c_str(), path.c_str(), name.c_str());
  }
}

const std::string& Package::file(const std::string& path) const {
  const auto found = files_.find(path);
  if (found != files_.end()) return found->second;
  std::string list;
  for (const auto& [name, text] : files_) list += (list.empty() ? "" : ", ") + name;
  fail(TENON_ERROR_NOT_FOUND, "%s has no file \"%s\"; its files: %s", title().c_str(), path.c_str(), list.c_str());
}

std::string Package::describe() const {
  base::Json out;
  out["name"] = contract_.name;
  out["version"] = contract_.version.text();
  out["hash"] = hash_;
  out["origin"] = origin_;
  out["doc"] = contract_.doc;
  out["license"] = contract_.license;
  out["url"] = contract_.url;
  out["authors"] = contract_.authors;
  if (contract_.tenon_level)
    out["requires"] = format("%u.%u", contract_.tenon_level >> 16, contract_.tenon_level >> 8 & 0xff);
  out["signature"] = nullptr;
  if (!signed_.key.empty())
    out["signature"] = {
        {"key", signed_.key}, {"by", signed_.by}, {"checked", signed_.checked}, {"trusted", signed_.trusted}};
  out["hashed_files"] = contract_.hashes.size();
  out["operations"] = base::Json::array();
  for (const auto& operation : contract_.operations)
    out["operations"].push_back(plugin::describe(*operation, contract_.name));
  return out.dump();
}

}  // namespace tenon
