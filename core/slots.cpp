#include "slots.hpp"

#include <chrono>
#include <exception>
#include <random>

namespace likewise {

namespace {

SlotSecret draw_secret() {
    std::uint64_t drawn[2] = {};
    try {
        std::random_device device;
        for (auto& word : drawn) word = std::uint64_t{device()} << 32 | device();
    } catch (const std::exception&) {
        // No source of randomness: the time and an address are better than nothing.
        const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
        drawn[0] = static_cast<std::uint64_t>(now);
        drawn[1] = reinterpret_cast<std::uintptr_t>(&drawn);
    }
    const HashKey mixed(drawn[1]);
    return {drawn[0], mixed.first | 1};
}

}  // namespace

const SlotSecret slot_secret = draw_secret();

}  // namespace likewise
