#include "staging/shared_block.hpp"

#include "core/error.hpp"

#include <cerrno>
#include <fcntl.h>
#include <new>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace viaduct::staging {

namespace {

/// "VIADUCT" and the number of the form: a rank and a worker of two builds must not take each
/// other's memory.
constexpr std::uint64_t form_mark = 0x5649414455435401;

/// Data begin on a page of their own, also where pages have 64 KiB.
constexpr std::size_t head_bytes = std::size_t{64} << 10U;
static_assert(sizeof(SharedHead) <= head_bytes);
constexpr std::size_t whole_bytes = head_bytes + SharedBlock::data_bytes;

[[noreturn]] void fail(const char* call, int error) {
  throw Error(ErrorKind::lost,
              std::string("cannot share memory between rank and worker: ") + call + ": " +
                  std::generic_category().message(error));
}

void* map(int descriptor) {
  void* memory = ::mmap(nullptr, whole_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) {
    fail("mmap", errno);
  }
  return memory;
}

}  // namespace

SharedBlock SharedBlock::create() {
  const int descriptor = ::memfd_create("viaduct-staged", MFD_CLOEXEC);
  if (descriptor < 0) {
    fail("memfd_create", errno);
  }
  // From here on the block owns it.
  SharedBlock block(descriptor, nullptr, true);
  if (::ftruncate(descriptor, static_cast<off_t>(whole_bytes)) != 0) {
    fail("ftruncate", errno);
  }
  block.memory_ = map(descriptor);
  block.clear_tasks();
  return block;
}

void SharedBlock::clear_tasks() const {
  auto* head = new (memory_) SharedHead;
  head->mark = form_mark;
}

SharedBlock SharedBlock::attach(int descriptor) {
  struct stat state {};

  const bool has_size =
      ::fstat(descriptor, &state) == 0 && state.st_size == static_cast<off_t>(whole_bytes);
  if (!has_size) {
    throw Error(ErrorKind::lost,
                "descriptor " + std::to_string(descriptor) +
                    " is not the memory that a rank shares with its worker");
  }
  SharedBlock block(descriptor, map(descriptor), false);
  if (block.head().mark != form_mark) {
    throw Error(ErrorKind::lost,
                "the memory that the rank shares has another form: install viaduct-rank and "
                "viaduct-worker from one build");
  }
  return block;
}

SharedBlock::SharedBlock(SharedBlock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      memory_(std::exchange(other.memory_, nullptr)),
      owns_descriptor_(std::exchange(other.owns_descriptor_, false)) {}

SharedBlock::~SharedBlock() {
  if (memory_ != nullptr) {
    ::munmap(memory_, whole_bytes);
  }
  if (owns_descriptor_) {
    ::close(descriptor_);
  }
}

unsigned char* SharedBlock::slot(std::size_t number) const {
  return static_cast<unsigned char*>(memory_) + head_bytes + number * slot_bytes;
}

void SharedBlock::take_pages() const {
  const int error = ::posix_fallocate(
      descriptor_, static_cast<off_t>(head_bytes), static_cast<off_t>(data_bytes));
  if (error != 0) {
    throw Error(
        ErrorKind::refused,
        "no " + std::to_string(data_bytes >> 20U) +
            " MiB of host memory for path staged: " + std::generic_category().message(error));
  }
}

}  // namespace viaduct::staging
