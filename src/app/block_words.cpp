#include "app/block_words.hpp"

namespace viaduct {

namespace {

bool is_option(const std::string& word, const std::string& option) {
  return word == option || word.starts_with(option + "=");
}

}  // namespace

std::vector<std::string> words_of_block(const std::vector<std::string>& words,
                                        const std::string& path) {
  std::vector<std::string> kept;
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (is_option(words[at], "--paths") || is_option(words[at], "--reopen")) {
      at += words[at].find('=') == std::string::npos ? 1U : 0U;
    } else {
      kept.push_back(words[at]);
    }
  }
  kept.insert(kept.end(), {"--paths", path});
  return kept;
}

}  // namespace viaduct
