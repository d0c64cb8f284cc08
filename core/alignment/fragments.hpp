// Fragments and their positions.
#pragma once

#include <algorithm>
#include <cmath>

#include "alignment/texts.hpp"
#include "runs.hpp"

namespace likewise {

// Words [a_begin, a_end) of a and [b_begin, b_end) of b while they are searched for.
struct Fragment {
    std::uint32_t a_begin, a_end, b_begin, b_end;
    double a_evidence, b_evidence;  // of each side, given the other
    double a_lambda, b_lambda;
    std::uint32_t run;  // the longest stretch of equal words that is known
};

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

// Whether a run has `least` words or more, where letters of scripts without spaces are half words.
inline bool is_long(const Run& run, const WordSequence& a, std::uint32_t least) {
    if (run.words >= 2 * least) return true;
    std::uint32_t halves = 0;
    for (std::uint32_t i = run.a; i < run.a + run.words; ++i) {
        halves += a.letters[i] == kUnspacedLetter ? 1 : 2;
    }
    return halves >= 2 * least;
}

// Equal words in a row, as a fragment.
inline Fragment as_fragment(const Run& run, const Texts2& texts,
                            const AlignmentSettings& settings) {
    double evidence = 0;
    for (std::uint32_t i = run.a; i < run.a + run.words; ++i) {
        evidence += std::min(texts.weights[texts.a.words[i]], std::log(settings.most_ratio));
    }
    const double lambda = settings.most_lambda;
    return {run.a,  run.a + run.words, run.b, run.b + run.words, evidence, evidence, lambda,
            lambda, run.words};
}

}  // namespace likewise
