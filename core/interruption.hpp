// Giving up long work: on Ctrl-C, or where another thread has failed.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <span>
#include <vector>

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

// vector::assign of very many items: to take so much memory from the system for the first time may
// take seconds.
template <class T>
void fill(std::vector<T>& items, std::size_t count, const T& value = T()) {
    constexpr std::size_t kPart = 1 << 20;
    items.clear();
    items.reserve(count);
    for (; count - items.size() > kPart; poll_interruption()) {
        items.resize(items.size() + kPart, value);
    }
    items.resize(count, value);
}

template <class T>
void fill(std::vector<T>& items, std::span<const T> from) {
    constexpr std::size_t kPart = 1 << 20;
    items.clear();
    items.reserve(from.size());
    for (; from.size() > kPart; poll_interruption()) {
        items.insert(items.end(), from.begin(), from.begin() + kPart);
        from = from.subspan(kPart);
    }
    items.insert(items.end(), from.begin(), from.end());
}

}  // namespace likewise
