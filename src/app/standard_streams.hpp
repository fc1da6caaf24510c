#pragma once
// A program that is started with closed standard streams must not give their numbers to a socket.

#include <unistd.h>

namespace viaduct {

/// Numbers below it are those of standard input, output and error.
constexpr int first_free_descriptor = STDERR_FILENO + 1;

/// First thing in main: fills descriptors 0, 1 and 2 that are closed. What is printed to a standard
/// output that was closed still fails, so that nobody takes it for written; messages for a standard
/// error that was closed go nowhere.
void keep_standard_streams();

}  // namespace viaduct
