#include "alignment/split.hpp"

#include <algorithm>

#include "alignment/matches.hpp"
#include "interruption.hpp"

namespace likewise {

namespace {

constexpr std::uint32_t kAnchor = 4;  // words in a row that locate a part
constexpr double kEligible = 0.5;     // of the shorter side in such runs: words keep their order
constexpr double kVerbatim = 0.85;    // of the shorter side: copied word for word
constexpr std::uint32_t kHole = 15;   // words without such a run between two verbatim parts
constexpr std::uint32_t kEditedHole = 60;  // and between two edited ones
constexpr std::uint32_t kEdge = 2;  // words that may be changed before a short run at an edge
constexpr double kTight = 0.95;     // similarity of a copy that is split from its surroundings
constexpr double kMost = 0.75;      // of all matched words that it must have

using Runs = std::vector<Run>;

// Cuts where more than `hole` words of one text lie between neighbours, first in b, then in a,
// until every part is in one piece on both sides.
void cut(Runs runs, std::uint32_t hole, std::vector<Runs>& parts) {
    for (const auto side : {&Run::b, &Run::a}) {
        std::sort(runs.begin(), runs.end(),
                  [&](const Run& x, const Run& y) { return x.*side < y.*side; });
        std::vector<Runs> pieces(1);
        std::uint32_t end = runs.front().*side;
        for (const Run& run : runs) {
            if (run.*side > end + hole) pieces.emplace_back();
            pieces.back().push_back(run);
            end = std::max(end, run.*side + run.words);
        }
        if (pieces.size() == 1) continue;
        for (Runs& piece : pieces) cut(std::move(piece), hole, parts);
        return;
    }
    parts.push_back(std::move(runs));
}

Fragment hull_of(const Runs& runs, const Fragment& of) {
    Fragment made = of;
    made.a_begin = made.b_begin = ~std::uint32_t{0};
    made.a_end = made.b_end = made.run = 0;
    for (const Run& run : runs) {
        made.a_begin = std::min(made.a_begin, run.a);
        made.b_begin = std::min(made.b_begin, run.b);
        made.a_end = std::max(made.a_end, run.a + run.words);
        made.b_end = std::max(made.b_end, run.b + run.words);
        made.run = std::max(made.run, run.words);
    }
    return made;
}

// Takes in short runs next to a part, with no more than a few changed words between.
void add_edges(const Runs& matches, Fragment& part) {
    for (bool grown = true; grown;) {
        poll_interruption();
        grown = false;
        for (const Run& run : matches) {
            const Range a{run.a, run.a + run.words}, b{run.b, run.b + run.words};
            if (run.words < 2 || overlap(a, a_of(part)) > 0 || overlap(b, b_of(part)) > 0) continue;
            const bool before = a.end <= part.a_begin && b.end <= part.b_begin;
            const bool behind = a.begin >= part.a_end && b.begin >= part.b_end;
            if (!before && !behind) continue;
            if (distance(a, a_of(part)) > kEdge || distance(b, b_of(part)) > kEdge) continue;
            const Range whole_a = hull(a, a_of(part)), whole_b = hull(b, b_of(part));
            part.a_begin = whole_a.begin, part.a_end = whole_a.end;
            part.b_begin = whole_b.begin, part.b_end = whole_b.end;
            grown = true;
        }
    }
}

// Where nearly all of a part is one copy word for word and its ends have grown too far, that copy:
// the chain of runs with most matched words less changed ones.
void tighten(const Runs& matches, Fragment& part) {
    Runs best, chain;
    std::int64_t most = 0, score = 0;
    std::uint32_t matched = 0;
    Poll poll;
    for (const Run& run : matches) {
        const Range a{run.a, run.a + run.words}, b{run.b, run.b + run.words};
        if (overlap(a, a_of(part)) < a.size() || overlap(b, b_of(part)) < b.size()) continue;
        poll();
        matched += run.words;
        if (!chain.empty()) {
            const Run& last = chain.back();
            const bool follows = run.b >= last.b + last.words;
            score -= follows ? std::max(run.a - last.a - last.words, run.b - last.b - last.words)
                             : score;
        }
        if (score <= 0) chain.clear(), score = 0;
        chain.push_back(run);
        score += run.words;
        if (score > most) most = score, best = chain;
    }
    if (best.empty()) return;
    const Fragment tight = hull_of(best, part);
    const std::uint32_t longer = std::max(a_of(tight).size(), b_of(tight).size());
    if (words_of(best) < kTight * longer || words_of(best) < kMost * matched) return;
    part.a_begin = tight.a_begin, part.a_end = tight.a_end;
    part.b_begin = tight.b_begin, part.b_end = tight.b_end;
}

}  // namespace

std::vector<Fragment> split_at_holes(const WordSequence& a, const WordSequence& b,
                                     const Fragment& fragment, std::uint32_t least_run,
                                     double least_evidence) {
    const Runs matches = match_words(a, b, a_of(fragment), b_of(fragment));
    Runs anchors;
    std::copy_if(matches.begin(), matches.end(), std::back_inserter(anchors),
                 [](const Run& run) { return run.words >= kAnchor; });
    const std::uint32_t shorter = std::min(a_of(fragment).size(), b_of(fragment).size());
    const std::uint32_t anchored = words_of(anchors);
    if (anchors.empty() || anchored < kEligible * shorter) return {fragment};
    const bool verbatim = anchored >= kVerbatim * shorter;
    std::vector<Runs> parts;
    cut(anchors, verbatim ? kHole : kEditedHole, parts);
    std::vector<Fragment> made;
    for (const Runs& runs : parts) {
        Fragment part = hull_of(runs, fragment);
        const double share = static_cast<double>(words_of(runs)) / anchored;
        part.a_evidence *= share;
        part.b_evidence *= share;
        const bool is_run = least_run > 0 && std::ranges::any_of(runs, [&](const Run& run) {
                                return is_long(run, a, least_run);
                            });
        if (!is_run && part.a_evidence < least_evidence) continue;
        add_edges(matches, part);
        made.push_back(part);
    }
    if (made.empty() || (parts.size() == 1 && !verbatim)) made = {fragment};
    for (Fragment& part : made) tighten(matches, part);
    return made;
}

}  // namespace likewise
