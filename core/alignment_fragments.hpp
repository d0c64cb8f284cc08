// Fragments by where they stand.
#pragma once

#include <algorithm>
#include <cmath>

#include "alignment_texts.hpp"
#include "runs.hpp"

namespace likewise {

inline Range a_of(const Fragment& f) { return {f.a_begin, f.a_end}; }
inline Range b_of(const Fragment& f) { return {f.b_begin, f.b_end}; }

inline bool is_empty(const Fragment& f) { return f.a_begin == f.a_end || f.b_begin == f.b_end; }

inline bool stands_before(const Fragment& f, const Fragment& g) {
    if (f.a_begin != g.a_begin) return f.a_begin < g.a_begin;
    if (f.b_begin != g.b_begin) return f.b_begin < g.b_begin;
    if (f.a_end != g.a_end) return f.a_end < g.a_end;
    return f.b_end < g.b_end;
}

inline bool is_same_place(const Fragment& f, const Fragment& g) {
    return a_of(f) == a_of(g) && b_of(f) == b_of(g);
}

// Equal words in a row, as a fragment.
inline Fragment as_fragment(const Run& run, const Texts2& texts,
                            const AlignmentSettings& settings) {
    double evidence = 0;
    for (std::uint32_t i = run.a; i < run.a + run.words; ++i) {
        evidence += std::min(texts.weights[texts.a.words[i]], std::log(settings.most_ratio));
    }
    const double lambda = settings.most_lambda;
    return {run.a,    run.a + run.words,
            run.b,    run.b + run.words,
            evidence, evidence,
            lambda,   lambda,
            0,        0,
            0,        run.words,
            false};
}

}  // namespace likewise
