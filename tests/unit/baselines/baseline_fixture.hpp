#pragma once
// Outputs of other tools for the tests: ours, and those of others where a folder with them is at
// hand.

#include "baselines/baseline.hpp"

#include <filesystem>
#include <string>

namespace viaduct {

/// tests/fixtures/baselines/FILE.
std::filesystem::path own_fixture(const std::string& file);

std::string text_of(const std::filesystem::path& file);

Baseline own_baseline(const std::string& file);

/// The folder that VIADUCT_PUBLIC_FIXTURES names, or the one beside the source; empty: neither.
std::filesystem::path public_fixtures();

/// The public output whose file name begins so.
Baseline public_baseline(const std::string& begin);

/// Whether some note of the run has that word and that text in it.
bool has_note(const BaselineRun& run, const std::string& word, const std::string& part = "");

}  // namespace viaduct
