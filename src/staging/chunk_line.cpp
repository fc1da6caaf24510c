#include "staging/chunk_line.hpp"

namespace viaduct::staging {

void ChunkLine::begin(ChunkSource& source, const Legs& legs) {
  source_ = &source;
  legs_ = legs;
}

bool ChunkLine::step() {
  bool has_moved = false;
  // Tasks are submitted in the order of chunks, whatever is ready first: the other ranks come to
  // the same order.
  bool may_submit = true;
  for (std::uint64_t number = first_; number != next_; ++number) {
    has_moved = advance(flight(number), may_submit) || has_moved;
  }
  while (first_ != next_ && flight(first_).stage == Stage::done) {
    ++first_;
  }
  while (source_ != nullptr && next_ - first_ < slots_each_way) {
    has_moved = start_next() || has_moved;
  }
  return has_moved;
}

bool ChunkLine::start_next() {
  const std::optional<Chunk> chunk = source_->next();
  if (!chunk) {
    source_ = nullptr;
    return false;
  }
  Flight& started = flight(next_);
  const std::size_t slot = first_slot_ + next_ % slots_each_way;
  started.chunk = *chunk;
  started.chunk.task.slot = static_cast<std::uint32_t>(slot);
  started.stage = Stage::down;
  started.has_copy = legs_.down && !chunk->down.is_empty();
  if (started.has_copy) {
    started.ticket = copies_.start_down(block_.slot(slot) + chunk->down_at, chunk->down);
  }
  ++next_;
  return true;
}

bool ChunkLine::advance(Flight& flight, bool& may_submit) {
  bool has_moved = false;
  if (flight.stage == Stage::down) {
    may_submit = may_submit && (!flight.has_copy || copies_.is_down_done(flight.ticket));
    if (!may_submit) {
      return false;
    }
    end_down(flight);
    has_moved = true;
  }
  if (flight.stage == Stage::mpi &&
      (!legs_.mpi || tasks_.is_finished(flight.chunk.task.slot, flight.number))) {
    end_mpi(flight);
    has_moved = true;
  }
  if (flight.stage == Stage::up && (!flight.has_copy || copies_.is_up_done(flight.ticket))) {
    flight.stage = Stage::done;
    has_moved = true;
  }
  return has_moved;
}

void ChunkLine::end_down(Flight& flight) {
  flight.stage = Stage::mpi;
  if (legs_.mpi) {
    flight.number = tasks_.submit(flight.chunk.task);
  }
}

void ChunkLine::end_mpi(Flight& flight) {
  flight.stage = Stage::up;
  flight.has_copy = legs_.up && !flight.chunk.up.is_empty();
  if (flight.has_copy) {
    flight.ticket = copies_.start_up(flight.chunk.up, block_.slot(flight.chunk.task.slot));
  }
}

}  // namespace viaduct::staging
