// Runs a piece of work over a range on several threads. Pieces are handed out in order by a shared
// counter; where each piece writes depends on its place alone, so results never depend on timing.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "interruption.hpp"

namespace likewise {

// work(worker) is called once on each of at most `threads` workers; work that is to be done
// whatever their number must be taken from a shared counter.
template <class Work>
void on_each_thread(unsigned threads, Work&& work) {
    if (threads <= 1) return work(0u);
    std::exception_ptr failure;
    std::mutex lock;
    std::condition_variable ended;
    std::size_t finished = 0;  // of the other threads
    std::atomic<bool> failed{false};
    const auto guarded = [&](auto&& step) {
        try {
            step();
        } catch (const Abandoned&) {
            // The failure that led to it is what counts.
        } catch (...) {
            const std::lock_guard held(lock);
            if (!failure) failure = std::current_exception();
            failed.store(true);
        }
    };
    std::vector<std::thread> others;
    others.reserve(threads - 1);
    try {
        for (unsigned worker = 1; worker < threads; ++worker) {
            others.emplace_back([&, worker] {
                abandoned = &failed;
                guarded([&] { work(worker); });
                const std::lock_guard held(lock);
                ++finished;
                ended.notify_one();
            });
        }
    } catch (...) {
        // The system gives no more threads, or no memory for them: those that run share the work
        // out among themselves.
    }
    guarded([&] { work(0u); });
    // Others may be busy with long documents: this thread alone hears of an interruption.
    for (std::unique_lock held(lock); finished != others.size();) {
        ended.wait_for(held, std::chrono::milliseconds(50));
        held.unlock();
        guarded([] { poll_interruption(); });
        held.lock();
    }
    for (auto& thread : others) thread.join();
    if (failure) std::rethrow_exception(failure);
}

// Items per piece: many, so that the counter is no bottleneck, but not so many that a
// few long documents keep one thread busy while the others wait.
inline std::size_t grain_of(std::size_t count, unsigned threads) {
    return std::clamp<std::size_t>(count / (8 * std::size_t{std::max(1u, threads)}), 1, 64);
}

// make() builds one worker's state; work(state, begin, end) handles items [begin, end). After a
// failure no more pieces are started.
template <class Make, class Work>
void parallel_ranges(std::size_t count, std::size_t grain, unsigned threads, Make&& make,
                     Work&& work) {
    const std::size_t pieces = (count + grain - 1) / grain;
    threads = static_cast<unsigned>(std::min<std::size_t>(std::max(1u, threads), pieces));
    std::atomic<std::size_t> next{0};
    on_each_thread(threads, [&](unsigned) {
        try {
            auto state = make();
            for (std::size_t piece; (piece = next.fetch_add(1)) < pieces;) {
                const std::size_t begin = piece * grain;
                work(state, begin, std::min(count, begin + grain));
                poll_interruption();
            }
        } catch (...) {
            next.store(pieces);
            throw;
        }
    });
}

}  // namespace likewise
