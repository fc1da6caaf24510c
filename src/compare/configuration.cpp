#include "compare/configuration.hpp"

#include "core/error.hpp"
#include "core/nearest.hpp"

#include <algorithm>

namespace viaduct {
namespace {

struct Field {
  const char* word;
  std::set<std::string> SideConfiguration::*values;
  bool can_be_allowed;
};

constexpr Field fields[] = {
    {"ranks", &SideConfiguration::ranks, false},
    {"engine", &SideConfiguration::engine, false},
    {"hosts", &SideConfiguration::hosts, true},
    {"gpus", &SideConfiguration::gpus, true},
    {"nccl", &SideConfiguration::nccl, true},
    {"method", &SideConfiguration::method, true},
    {"buffers", &SideConfiguration::buffers, true},
};

std::string joined(const std::set<std::string>& values) {
  std::string text;
  for (const std::string& value : values) {
    text += (text.empty() ? "" : ", ") + value;
  }
  return text;
}

}  // namespace

std::vector<std::string> allowable_words() {
  std::vector<std::string> words;
  for (const Field& field : fields) {
    if (field.can_be_allowed) {
      words.emplace_back(field.word);
    }
  }
  return words;
}

ConfigurationCheck check_configuration(const SideConfiguration& a,
                                       const SideConfiguration& b,
                                       const std::vector<std::string>& allowed) {
  const std::vector<std::string> words = allowable_words();
  for (const std::string& word : allowed) {
    if (std::find(words.begin(), words.end(), word) == words.end()) {
      throw Error(ErrorKind::usage, "--allow: " + unknown_name_message("word", word, words));
    }
  }
  ConfigurationCheck check;
  for (const Field& field : fields) {
    const std::set<std::string>& ours = a.*field.values;
    const std::set<std::string>& theirs = b.*field.values;
    if (ours.empty() || theirs.empty()) {
      check.unknown.emplace_back(field.word);
    } else if (ours != theirs) {
      const bool is_allowed =
          std::find(allowed.begin(), allowed.end(), field.word) != allowed.end();
      (is_allowed ? check.allowed : check.refused)
          .push_back(std::string(field.word) + ": " + joined(ours) + " and " + joined(theirs));
    }
  }
  return check;
}

}  // namespace viaduct
