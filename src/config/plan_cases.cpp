#include "config/plan_cases.hpp"

#include "config/value_words.hpp"
#include "core/error.hpp"
#include "core/size_text.hpp"
#include "paths/json_place.hpp"

#include <algorithm>

namespace viaduct {

namespace {

constexpr double default_factor = 2;

std::vector<std::uint64_t> read_sweep(const JsonPlace& place, std::uint64_t element_size) {
  place.expect_object({"min", "max", "factor", "step"});
  Sweep sweep;
  sweep.min_bytes = read_size(place.at("min"));
  sweep.max_bytes = read_size(place.at("max"));
  sweep.first_after_zero = element_size;
  const auto factor = place.find("factor");
  const auto step = place.find("step");
  if (factor && step) {
    place.fail("has both factor and step; keep one of them");
  }
  if (step) {
    sweep.step_bytes = read_size(*step);
  } else {
    sweep.factor = factor ? factor->number_above(1) : default_factor;
  }
  return read_at(place, [&sweep] { return expand(sweep); });
}

std::vector<std::uint64_t> read_sizes(const JsonPlace& place, std::uint64_t element_size) {
  if (place.is_object()) {
    return read_sweep(place, element_size);
  }
  std::vector<std::uint64_t> sizes;
  for (const JsonPlace& entry : place.elements()) {
    sizes.push_back(read_size(entry));
  }
  return sorted_sizes(std::move(sizes));
}

/// The list under `key`, each word read by `read` to the values that it stands for; `otherwise`
/// when the key is absent.
template <typename Value, typename Read>
std::vector<Value> read_list(const JsonPlace& place,
                             const char* key,
                             std::vector<Value> otherwise,
                             const Read& read) {
  const auto list = place.find(key);
  if (!list) {
    return otherwise;
  }
  std::vector<Value> values;
  for (const JsonPlace& entry : list->elements()) {
    const std::string word = entry.text();
    for (const Value& value : read_at(entry, [&] { return read(word); })) {
      if (std::find(values.begin(), values.end(), value) != values.end()) {
        entry.fail("'" + word + "' stands twice in the list");
      }
      values.push_back(value);
    }
  }
  return values;
}

/// A reader of one value as a reader of a list of one.
template <typename Read>
auto one_of(const Read& read) {
  return [read](const std::string& word) { return std::vector{read(word)}; };
}

/// A rank, "all", -1, or a list of them.
std::vector<int> read_root(const JsonPlace& place) {
  std::vector<std::string> words;
  for (const JsonPlace& entry : one_or_more(place)) {
    words.push_back(entry.word_or_number("a rank, \"all\" or -1, or a list of ranks"));
    read_at(entry, [&words] { return roots_of_word(words.back()); });
    if (std::count(words.begin(), words.end(), words.back()) > 1) {
      entry.fail("'" + words.back() + "' stands twice in the list");
    }
  }
  return roots_of_words(words);
}

CaseBlock read_block(const JsonPlace& place, const std::vector<int>& default_roots) {
  place.expect_object(
      {"operations", "sizes", "datatypes", "reductions", "placements", "modes", "root"});
  CaseBlock block;
  block.roots = default_roots;
  if (!place.find("operations")) {
    place.fail(R"(key 'operations' is missing; write "operations": ["all_reduce"])");
  }
  block.operations = read_list<std::string>(
      place, "operations", {}, one_of([](const std::string& word) { return word; }));
  block.datatypes = read_list(place, "datatypes", block.datatypes, datatypes_of_word);
  block.reductions = read_list(place, "reductions", block.reductions, reductions_of_word);
  block.placements = read_list(place, "placements", block.placements, one_of(parse_placement));
  block.modes = read_list(place, "modes", block.modes, one_of(parse_mode));
  block.sizes_bytes = read_sizes(place.at("sizes"), smallest_element(block.datatypes));
  if (const auto root = place.find("root")) {
    block.roots = read_root(*root);
  }
  return block;
}

}  // namespace

std::vector<CaseBlock> read_case_blocks(const JsonPlace& list,
                                        const std::vector<int>& default_roots) {
  std::vector<CaseBlock> blocks;
  for (const JsonPlace& place : list.elements()) {
    blocks.push_back(read_block(place, default_roots));
  }
  return blocks;
}

std::uint64_t read_size(const JsonPlace& place) {
  const std::string text = place.word_or_number("a size: a number of bytes, or \"4K\"");
  return read_at(place, [&text] { return parse_size(text, "size"); });
}

std::vector<JsonPlace> one_or_more(const JsonPlace& place) {
  return place.is_list() ? place.elements() : std::vector{place};
}

std::vector<std::uint64_t> sorted_sizes(std::vector<std::uint64_t> sizes) {
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

}  // namespace viaduct
