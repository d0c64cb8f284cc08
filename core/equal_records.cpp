#include "equal_records.hpp"

#include <algorithm>

#include "groups.hpp"
#include "interruption.hpp"

namespace likewise {

RecordGroups group_records(std::span<const std::uint64_t> low, std::span<const std::uint64_t> high,
                           std::span<const std::uint64_t> places, std::uint64_t least) {
    RecordGroups made;
    made.offsets.push_back(0);
    std::vector<std::uint32_t> members;
    Poll poll;
    GroupFinder finder;
    finder.run(
        low.size(), [&](std::size_t i) { return low[i]; },
        [&](const std::uint32_t* group, std::size_t size) {
            if (size < least) return;
            members.assign(group, group + size);
            std::sort(members.begin(), members.end(),
                      polling(poll, [&](std::uint32_t a, std::uint32_t b) {
                          return high[a] != high[b] ? high[a] < high[b] : places[a] < places[b];
                      }));
            for (std::size_t begin = 0; begin < size;) {
                std::size_t end = begin + 1;
                while (end < size && high[members[end]] == high[members[begin]]) ++end;
                if (end - begin >= least) {
                    made.members.insert(made.members.end(),
                                        members.begin() + static_cast<std::ptrdiff_t>(begin),
                                        members.begin() + static_cast<std::ptrdiff_t>(end));
                    made.offsets.push_back(made.members.size());
                }
                begin = end;
            }
        });
    return made;
}

}  // namespace likewise
