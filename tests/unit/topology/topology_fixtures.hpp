#pragma once
// Outputs of nvidia-smi and lspci that tests read: ours beside the tests, those of other people
// where their folder is.

#include <optional>
#include <string>

namespace viaduct::test {

/// A file of tests/fixtures/topology; a failure of the test where it is not there.
std::string own_fixture(const std::string& file);

/// The public file whose name begins so; empty: there is no folder of them
/// (VIADUCT_PUBLIC_FIXTURES, or beside the source).
std::optional<std::string> public_fixture(const std::string& begin);

}  // namespace viaduct::test
