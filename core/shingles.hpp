// Text to shingle hashes.
//
// Shingler::each() hands out the hashes of one document in the order of the text, in chunks that
// stay in the first-level cache. Pure ASCII is cut directly, and so are parts of a text that have
// common letters only; other text goes through prepare() first and then through the same loops, so
// all give the same hashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bins.hpp"
#include "buffer.hpp"
#include "interruption.hpp"
#include "prepare.hpp"
#include "rules.hpp"
#include "words.hpp"

namespace likewise {

class Shingler {
  public:
    explicit Shingler(const Rules& rules);  // which must outlive it
    explicit Shingler(Rules&&) = delete;

    // sink(const std::uint64_t* hashes, std::size_t count), any number of times. In a bag the
    // hashes are those of (shingle, occurrence number), so every element comes once.
    template <class Sink>
    void each(std::string_view text, Sink&& sink) {
        each(text, [] { return static_cast<const Bins*>(nullptr); }, sink);
    }

    // The same, with round 0 of a sketch on the way: bins() is called before each chunk, says where
    // its values go, and may return nullptr.
    template <class GetBins, class Sink>
    void each(std::string_view text, GetBins&& bins, Sink&& sink) {
        if (rules_.bag) {
            collect(text, bag_);
            if (bag_.empty()) return;
            if (const Bins* to = bins()) {
                for (const std::uint64_t element : bag_) to->put(element);
            }
            sink(static_cast<const std::uint64_t*>(bag_.data()), bag_.size());
        } else if (rules_.unit == Unit::word) {
            cut_words(text, bins, sink);
        } else {
            cut_characters(text, bins, sink);
        }
    }

    // All elements of one document: shingle hashes with repeats for a set, once each for a bag.
    void collect(std::string_view text, std::vector<std::uint64_t>& out) {
        out.clear();
        // Memory that is not written to costs nothing; growing a long list takes it twice.
        out.reserve(rules_.unit == Unit::word ? text.size() / 2 + 1 : text.size());
        const auto no_bins = [] { return static_cast<const Bins*>(nullptr); };
        const auto append = [&](const std::uint64_t* hashes, std::size_t count) {
            out.insert(out.end(), hashes, hashes + count);
        };
        if (rules_.unit == Unit::word) {
            cut_words(text, no_bins, append);
        } else {
            cut_characters(text, no_bins, append);
        }
        if (rules_.bag) number_occurrences(out);
    }

    // Shingles, with repeats, of a text that has been prepared already and is split as it is:
    // what was apart when it was prepared is not joined now.
    void collect_prepared(std::string_view prepared, std::vector<std::uint64_t>& out) {
        out.clear();
        const auto no_bins = [] { return static_cast<const Bins*>(nullptr); };
        const auto append = [&](const std::uint64_t* hashes, std::size_t count) {
            out.insert(out.end(), hashes, hashes + count);
        };
        const bool ascii = hold(prepared);
        if (rules_.unit == Unit::word) {
            WordCut cut;
            cut_ready_words({joined_text_, joined_size_}, prepared_classes_, cut, no_bins, append);
            finish_words(cut, no_bins, append);
        } else {
            cut_ready_characters(ascii, no_bins, append);
        }
    }

  private:
    // Bytes of text in flight: everything about them stays in the first-level cache.
    static constexpr std::size_t kSegment = 4096;

    struct WordCut {
        std::size_t held = 0;  // word hashes in words_ that still wait for their followers
        bool any = false;      // has a whole shingle been handed out?
    };

    template <class GetBins, class Sink>
    void cut_words(std::string_view text, GetBins& bins, Sink& sink) {
        WordCut cut;
        if (ascii_words_ && is_ascii(text.data(), text.size())) {
            cut_ready_words(text, ascii_classes_, cut, bins, sink);
            text = {};
        }
        while (!text.empty()) {
            poll_now_and_then();
            const std::string_view part =
                text.substr(0, letter_words_ ? part_size(text) : text.size());
            if (letter_words_ && hash_letter_words(part, cut.held)) {
                hand_out_shingles(cut, bins, sink);
            } else {
                prepare(part, rules_, prepared_);
                cut_ready_words({prepared_.data(), prepared_.size()}, prepared_classes_, cut, bins,
                                sink);
            }
            text.remove_prefix(part.size());
        }
        finish_words(cut, bins, sink);
    }

    template <class GetBins, class Sink>
    void cut_ready_words(std::string_view text, const ByteClasses& classes, WordCut& cut,
                         GetBins&& bins, Sink&& sink) {
        const bool filter = &classes == &ascii_classes_ && filters_words();
        while (!text.empty()) {
            poll_now_and_then();
            const std::size_t size = segment_size(text, classes);
            hash_words(text.substr(0, size), classes, filter, cut.held);
            text.remove_prefix(size);
            hand_out_shingles(cut, bins, sink);
        }
    }

    template <class GetBins, class Sink>
    void hand_out_shingles(WordCut& cut, GetBins&& bins, Sink&& sink) {
        if (cut.held < rules_.k) return;
        const std::size_t count = cut.held - rules_.k + 1;
        hash_shingles(count, bins());
        sink(static_cast<const std::uint64_t*>(shingles_.data()), count);
        cut.any = true;
        cut.held = rules_.k - 1;
        std::memmove(words_.data(), words_.data() + count, cut.held * sizeof(std::uint64_t));
    }

    template <class GetBins, class Sink>
    void finish_words(const WordCut& cut, GetBins&& bins, Sink&& sink) {
        if (cut.any || cut.held == 0) return;
        const std::uint64_t whole = hash_short_text(cut.held);
        if (const Bins* to = bins()) to->put(whole);
        sink(&whole, std::size_t{1});
    }

    template <class GetBins, class Sink>
    void cut_characters(std::string_view text, GetBins& bins, Sink& sink) {
        cut_ready_characters(prepare_characters(text), bins, sink);
    }

    template <class GetBins, class Sink>
    void cut_ready_characters(bool ascii, GetBins&& bins, Sink&& sink) {
        const std::string_view ready(joined_text_, joined_size_);
        if (ready.empty()) return;
        const std::size_t count = count_windows(ready, ascii);
        shingles_.reserve(kSegment);
        for (std::size_t done = 0; done < count; done += kSegment) {
            poll_now_and_then();
            const std::size_t part = std::min(kSegment, count - done);
            hash_windows(ready, ascii, part, bins());
            sink(static_cast<const std::uint64_t*>(shingles_.data()), part);
        }
    }

    void poll_now_and_then() {
        if (++segments_ % 16 == 0) poll_interruption();
    }
    bool filters_words() const { return rules_.min_word_length > 1 || !rules_.stop_words.empty(); }
    std::size_t segment_size(std::string_view text, const ByteClasses& classes) const;
    static std::size_t part_size(std::string_view text);
    void hash_words(std::string_view segment, const ByteClasses& classes, bool filter,
                    std::size_t& held);
    bool hash_letter_words(std::string_view part, std::size_t& held);
    void hash_shingles(std::size_t count, const Bins* bins);
    std::uint64_t hash_short_text(std::size_t words) const;
    bool prepare_characters(std::string_view text);
    bool hold(std::string_view prepared);
    std::size_t count_windows(std::string_view ready, bool ascii);
    void hash_windows(std::string_view ready, bool ascii, std::size_t count, const Bins* bins);
    void number_occurrences(std::vector<std::uint64_t>& hashes);

    const Rules& rules_;
    const HashKey key_;
    const HashKey stop_key_;
    const ByteClasses ascii_classes_;
    const ByteClasses prepared_classes_;
    const bool ascii_words_;   // raw ASCII can be cut without prepare()
    const bool letter_words_;  // and so can parts with common letters only
    const std::uint64_t
        outgoing_;  // kWordStep to the power k: takes the word that leaves a shingle out

    Prepared prepared_;
    Buffer<char> copy_;
    Buffer<std::uint32_t> edges_;
    Buffer<std::uint64_t> words_;
    Buffer<std::uint64_t> shingles_;
    std::vector<std::uint64_t> bag_;
    std::size_t segments_ = 0;

    // Characters: the text being cut, and where the next window begins and ends.
    Buffer<char> joined_;
    const char* joined_text_ = nullptr;
    std::size_t joined_size_ = 0;
    std::size_t window_begin_ = 0;
    std::size_t window_end_ = 0;

    struct Slot {
        std::uint64_t hash;
        std::uint32_t count;
    };
    std::vector<Slot> occurrences_;
};

}  // namespace likewise
