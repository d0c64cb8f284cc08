#include "clusters.hpp"

#include <numeric>
#include <utility>

#include "interruption.hpp"

namespace likewise {

std::vector<std::uint32_t> find_clusters(std::size_t documents, std::span<const std::uint32_t> a,
                                         std::span<const std::uint32_t> b) {
    std::vector<std::uint32_t> parent(documents);
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](std::uint32_t i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    };
    Poll poll;
    for (std::size_t p = 0; p < a.size(); ++p) {
        poll();
        std::uint32_t x = root(a[p]), y = root(b[p]);
        if (x > y) std::swap(x, y);
        parent[y] = x;  // the smaller one leads, so a root is the smallest of its component
    }
    for (std::uint32_t i = 0; i < documents; ++i) parent[i] = root(i);
    return parent;
}

}  // namespace likewise
