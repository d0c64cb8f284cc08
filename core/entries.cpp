#include "entries.hpp"

#include <algorithm>

namespace likewise {
namespace {

std::uint32_t document_of(std::uint64_t entry) { return static_cast<std::uint32_t>(entry); }

std::vector<std::uint64_t> merge_two(std::span<const std::uint64_t> a,
                                     std::span<const std::uint64_t> b) {
    std::vector<std::uint64_t> made(a.size() + b.size());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), made.begin());
    return made;
}

}  // namespace

std::vector<std::uint64_t> merge_entries(std::span<const std::span<const std::uint64_t>> runs,
                                         std::span<const std::uint8_t> present) {
    if (runs.empty()) return {};
    // Neighbours two by two: there are four runs or so, of about the same length.
    std::vector<std::vector<std::uint64_t>> level;
    for (std::size_t i = 0; i + 1 < runs.size(); i += 2) {
        level.push_back(merge_two(runs[i], runs[i + 1]));
    }
    if (runs.size() % 2 == 1) level.emplace_back(runs.back().begin(), runs.back().end());
    while (level.size() > 1) {
        std::vector<std::vector<std::uint64_t>> next;
        for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
            next.push_back(merge_two(level[i], level[i + 1]));
        }
        if (level.size() % 2 == 1) next.push_back(std::move(level.back()));
        level = std::move(next);
    }
    auto& merged = level.front();
    if (!present.empty()) {
        std::erase_if(merged, [&](std::uint64_t entry) {
            const std::uint32_t document = document_of(entry);
            return document >= present.size() || present[document] == 0;
        });
    }
    return std::move(merged);
}

std::vector<std::uint8_t> key_filter(std::span<const std::uint64_t> entries, unsigned bits) {
    std::vector<std::uint8_t> flags(std::size_t{1} << (bits - 3));
    for (const std::uint64_t entry : entries) {
        const std::uint64_t place = entry >> (64 - bits);
        flags[place >> 3] |= static_cast<std::uint8_t>(1u << (place & 7));
    }
    return flags;
}

std::uint64_t count_documents(std::span<const std::uint64_t> entries) {
    std::uint32_t last = 0;
    for (const std::uint64_t entry : entries) last = std::max(last, document_of(entry));
    std::vector<bool> seen(entries.empty() ? 0 : std::size_t{last} + 1);
    std::uint64_t count = 0;
    for (const std::uint64_t entry : entries) {
        const std::uint32_t document = document_of(entry);
        count += !seen[document];
        seen[document] = true;
    }
    return count;
}

}  // namespace likewise
