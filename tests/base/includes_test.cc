// The folders depend on each other in one direction only. Reads every #include "..." of the project
// against a table, and holds the sources to their greatest length.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace apiary::base {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxFileLines = 500;

// Each part of the project and the parts it may include beside itself, from the bottom up.
using Table = std::map<std::string, std::set<std::string>>;
const Table& AllowedIncludes() {
  static const Table table = {
      {"base", {}},
      {"env", {"base"}},
      {"nn_core", {"base", "env"}},
      {"mcts", {"base", "env", "nn_core"}},
      {"nn_onnx", {"base", "env", "nn_core"}},
      {"nn_torch", {"base", "env", "nn_core"}},
      {"play", {"base", "env", "nn_core", "mcts"}},
      {"store", {"base", "env", "nn_core", "mcts"}},
      {"worker", {"base", "env", "nn_core", "mcts", "store"}},
      {"train", {"base", "env", "nn_core", "nn_torch", "mcts", "play", "store", "worker"}},
      {"app",
       {"base", "env", "nn_core", "nn_onnx", "nn_torch", "mcts", "play", "store", "worker",
        "train"}},
  };
  return table;
}

struct Include {
  int line = 0;
  std::string target;
  bool is_system = false;  // <...>
};

struct Source {
  std::string path;  // relative to the project, "env/board.cc"
  int lines = 0;
  std::vector<Include> includes;
};

Source ReadSource(const fs::path& root, const fs::path& file) {
  static const std::regex pattern(R"re(^\s*#\s*include\s*(["<])([^">]+)[">].*)re");
  Source source;
  source.path = fs::relative(file, root).string();
  std::ifstream stream(file);
  std::smatch match;
  for (std::string line; std::getline(stream, line);) {
    ++source.lines;
    if (std::regex_match(line, match, pattern))
      source.includes.push_back({source.lines, match[2], match[1] == "<"});
  }
  return source;
}

std::vector<Source> ReadSources(const std::vector<std::string>& folders) {
  const fs::path root = APIARY_SOURCE_DIR;
  std::vector<Source> sources;
  for (const std::string& folder : folders) {
    if (!fs::exists(root / folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".cc" || extension == ".h" || extension == ".in")
        sources.push_back(ReadSource(root, entry.path()));
    }
  }
  std::sort(sources.begin(), sources.end(),
            [](const Source& a, const Source& b) { return a.path < b.path; });
  return sources;
}

std::string FolderOf(const std::string& path) { return path.substr(0, path.find('/')); }

// The sources listed after `apiary_library(NAME` in a CMakeLists.txt: the split of a folder into
// targets stands there.
std::set<std::string> LibrarySources(const std::string& folder, const std::string& library) {
  std::ifstream stream(fs::path(APIARY_SOURCE_DIR) / folder / "CMakeLists.txt");
  const std::string text((std::istreambuf_iterator<char>(stream)),
                         std::istreambuf_iterator<char>());
  const std::size_t begin = text.find("apiary_library(" + library + "\n");
  std::set<std::string> sources;
  if (begin == std::string::npos) return sources;
  const std::string call = text.substr(begin, text.find(')', begin) - begin);
  static const std::regex word(R"(([A-Za-z0-9_]+)\.cc)");
  for (std::sregex_iterator it(call.begin(), call.end(), word), end; it != end; ++it)
    sources.insert(folder + "/" + it->str(1));
  return sources;
}

// Folders that hold several parts, from the bottom up.
const std::map<std::string, std::vector<std::string>>& SplitFolders() {
  static const std::map<std::string, std::vector<std::string>> folders = {
      {"nn", {"nn_core", "nn_onnx", "nn_torch"}}, {"train", {"store", "worker", "train"}}};
  return folders;
}

bool IsTorch(const Include& include) {
  static const std::regex torch("(torch|ATen|c10|caffe2)/.*");
  return include.is_system && std::regex_match(include.target, torch);
}

// Sorts files into the parts of the table. A header belongs to the library of the source file of
// its name; one without such a file to the lowest part of its folder whose rules it can keep.
class Parts {
 public:
  explicit Parts(const std::vector<Source>& sources) {
    for (const auto& [folder, libraries] : SplitFolders())
      for (const std::string& library : libraries)
        for (const std::string& stem : LibrarySources(folder, library)) by_stem_[stem] = library;
    for (const Source& source : sources) {
      const auto split = SplitFolders().find(FolderOf(source.path));
      if (split != SplitFolders().end() && !by_stem_.contains(StemOf(source.path)))
        rises_.push_back({&source, &split->second});
    }
    for (const Rising& rising : rises_)
      by_stem_[StemOf(rising.source->path)] = rising.parts->front();
    while (RaiseOne()) {
    }
  }

  // The part of a file, or "" where it is in none (tests, bench).
  std::string Of(const std::string& path) const {
    const auto placed = by_stem_.find(StemOf(path));
    if (placed != by_stem_.end()) return placed->second;
    return AllowedIncludes().contains(FolderOf(path)) ? FolderOf(path) : "";
  }

  bool MayInclude(const std::string& part, const Include& include) const {
    if (include.is_system)
      return !IsTorch(include) || part == "nn_torch" || part == "train" || part == "app";
    const std::string target = Of(include.target);
    return target == part || AllowedIncludes().at(part).contains(target);
  }

 private:
  struct Rising {
    const Source* source;
    const std::vector<std::string>* parts;
  };

  static std::string StemOf(const std::string& path) { return path.substr(0, path.rfind('.')); }

  // Moves one header that breaks the rules of its part one part up.
  bool RaiseOne() {
    for (const Rising& rising : rises_) {
      std::string& part = by_stem_[StemOf(rising.source->path)];
      const std::vector<Include>& includes = rising.source->includes;
      const bool keeps = std::all_of(includes.begin(), includes.end(), [&](const Include& include) {
        return MayInclude(part, include);
      });
      if (keeps || part == rising.parts->back()) continue;
      part = *std::next(std::find(rising.parts->begin(), rising.parts->end(), part));
      return true;
    }
    return false;
  }

  std::vector<Rising> rises_;
  std::map<std::string, std::string> by_stem_;
};

const std::vector<std::string> kFolders = {"base", "env", "nn", "mcts", "train", "play", "app"};

TEST(IncludesTest, TableItselfPointsDown) {
  // Following the arrows from any part never comes back to it, and what a part may include is
  // closed under them.
  for (const auto& [part, allowed] : AllowedIncludes()) {
    EXPECT_FALSE(allowed.contains(part));
    for (const std::string& lower : allowed) {
      ASSERT_TRUE(AllowedIncludes().contains(lower)) << lower;
      for (const std::string& lowest : AllowedIncludes().at(lower))
        EXPECT_TRUE(allowed.contains(lowest)) << part << " -> " << lower << " -> " << lowest;
    }
  }
}

TEST(IncludesTest, ArrowsPointDown) {
  const std::vector<Source> sources = ReadSources(kFolders);
  ASSERT_GT(sources.size(), 20u);
  const Parts parts(sources);
  for (const Source& source : sources) {
    const std::string part = parts.Of(source.path);
    for (const Include& include : source.includes) {
      const std::string place = source.path + ":" + std::to_string(include.line);
      EXPECT_TRUE(parts.MayInclude(part, include))
          << place << ": " << part << " must not include \"" << include.target
          << "\", which belongs to " << (include.is_system ? "LibTorch" : parts.Of(include.target));
      if (include.is_system) continue;
      EXPECT_TRUE(fs::exists(fs::path(APIARY_SOURCE_DIR) / include.target))
          << place << ": there is no \"" << include.target
          << "\" (includes are named from the root of the project)";
    }
  }
}

TEST(SourcesTest, NoFileIsLongerThanTheLimit) {
  std::vector<std::string> folders = kFolders;
  folders.insert(folders.end(), {"tests", "bench"});
  for (const Source& source : ReadSources(folders))
    EXPECT_LE(source.lines, kMaxFileLines) << source.path << " wants to be two files";
}

TEST(SourcesTest, HeadersAreGuarded) {
  std::vector<std::string> folders = kFolders;
  folders.insert(folders.end(), {"tests", "bench"});
  for (const Source& source : ReadSources(folders)) {
    if (!source.path.ends_with(".h")) continue;
    std::ifstream stream(fs::path(APIARY_SOURCE_DIR) / source.path);
    bool guarded = false;
    for (std::string line; !guarded && std::getline(stream, line);)
      guarded = line == "#pragma once";
    EXPECT_TRUE(guarded) << source.path << " lacks #pragma once";
  }
}

TEST(ScriptsTest, AreExecutableAndBash) {
  const fs::path root = APIARY_SOURCE_DIR;
  std::vector<fs::path> scripts = {root / ".ci/run"};
  for (const fs::directory_entry& entry : fs::directory_iterator(root / "scripts"))
    if (entry.path().extension() == ".sh") scripts.push_back(entry.path());
  EXPECT_GE(scripts.size(), 5u);
  for (const fs::path& script : scripts) {
    struct stat status {};
    ASSERT_EQ(::stat(script.c_str(), &status), 0) << script;
    EXPECT_EQ(status.st_mode & 0111, 0111u) << script << " is not executable";
    std::ifstream stream(script);
    const std::string text((std::istreambuf_iterator<char>(stream)),
                           std::istreambuf_iterator<char>());
    EXPECT_TRUE(text.starts_with("#!/usr/bin/env bash\n")) << script;
    EXPECT_NE(text.find("\nset -euo pipefail\n"), std::string::npos) << script;
  }
}

}  // namespace
}  // namespace apiary::base
