// Giving up long work: on Ctrl-C, or where another thread has failed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>

namespace likewise {

// Throws if the work is to be given up. The bindings set it; it is called on the thread that
// entered the core.
inline void (*check_interruption)() = nullptr;

// What worker threads throw when the work has failed on another thread.
struct Abandoned {};

// On worker threads: set once the work has failed.
inline thread_local const std::atomic<bool>* abandoned = nullptr;

// Called in every loop that may take long, even within one document, about every 10 microseconds
// or more: throws if the work is to be given up.
inline void poll_interruption() {
    if (abandoned != nullptr) {
        if (abandoned->load(std::memory_order_relaxed)) throw Abandoned();
        return;
    }
    if (check_interruption == nullptr) return;
    using Clock = std::chrono::steady_clock;
    thread_local Clock::time_point asked{};
    if (const auto now = Clock::now(); now - asked > std::chrono::milliseconds(100)) {
        asked = now;
        check_interruption();
    }
}

// Polls at some of its calls, for loops of short steps.
class Poll {
  public:
    void operator()() {
        if (++steps_ % kSteps == 0) poll_interruption();
    }

  private:
    static constexpr std::size_t kSteps = 1 << 10;
    std::size_t steps_ = 0;
};

// A comparison that polls, so that a long sort can be interrupted.
template <class Less>
auto polling(Poll& poll, Less less) {
    return [&poll, less](const auto& x, const auto& y) {
        poll();
        return less(x, y);
    };
}

}  // namespace likewise
