#include "columns.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <utility>

#include "interruption.hpp"

namespace likewise {
namespace {

using Parts = std::vector<std::uint32_t>;  // in ascending order

// Whether two sorted lists have nothing in common.
bool disjoint(const Parts& a, const Parts& b) {
    auto left = a.begin(), right = b.begin();
    while (left != a.end() && right != b.end()) {
        if (*left == *right) return false;
        if (*left < *right) {
            ++left;
        } else {
            ++right;
        }
    }
    return true;
}

}  // namespace

std::vector<std::uint32_t> align_columns(std::span<const std::uint32_t> parts,
                                         const WordRuns& runs) {
    std::vector<std::uint32_t> parent(parts.size());
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](std::uint32_t word) {
        while (parent[word] != word) word = parent[word] = parent[parent[word]];
        return word;
    };
    // The parts of a column of two words or more, at its root; most words are alone.
    std::vector<std::uint32_t> place(parts.size(), 0);
    std::vector<Parts> columns(1);
    Parts alone_x, alone_y;
    const auto parts_of = [&](std::uint32_t word, Parts& alone) -> const Parts& {
        if (place[word] != 0) return columns[place[word]];
        alone.assign(1, parts[word]);
        return alone;
    };
    Poll poll;
    for (std::size_t run = 0; run < runs.lengths.size(); ++run) {
        for (std::uint32_t i = 0; i < runs.lengths[run]; ++i) {
            poll();
            std::uint32_t x = root(runs.a[run] + i), y = root(runs.b[run] + i);
            if (x == y) continue;
            if (x > y) std::swap(x, y);
            const Parts& of_x = parts_of(x, alone_x);
            const Parts& of_y = parts_of(y, alone_y);
            if (!disjoint(of_x, of_y)) continue;
            Parts both;
            both.reserve(of_x.size() + of_y.size());
            std::merge(of_x.begin(), of_x.end(), of_y.begin(), of_y.end(),
                       std::back_inserter(both));
            if (place[y] != 0) Parts().swap(columns[place[y]]);
            if (place[x] == 0) {
                place[x] = static_cast<std::uint32_t>(columns.size());
                columns.emplace_back();
            }
            columns[place[x]] = std::move(both);
            parent[y] = x;  // the smaller one leads, so a root is the smallest of its column
        }
    }
    for (std::uint32_t word = 0; word < parent.size(); ++word) parent[word] = root(word);
    return parent;
}

}  // namespace likewise
