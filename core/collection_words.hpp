// The words of a collection: numbered as they come, with how often each occurs and how many
// documents contain it. Documents are added in batches, and take four bytes per word.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace likewise {

class CollectionWords {
  public:
    // stem_letters as for place_words(), at least 1. Where the order of words is not kept, of()
    // gives nothing, and holders() counts nothing.
    explicit CollectionWords(std::uint32_t stem_letters, bool keep_order = true);

    // If it throws, only the first of the texts have been added.
    void add(std::span<const std::string_view> texts, unsigned threads);

    std::uint32_t documents() const { return static_cast<std::uint32_t>(sizes_.size()); }
    // How many words each document has.
    std::span<const std::uint32_t> sizes() const { return sizes_; }
    // The words that identify a document (see telling_words.hpp), by number and in order.
    std::span<const std::uint32_t> of(std::uint32_t document) const { return orders_[document]; }

    std::uint32_t vocabulary() const { return static_cast<std::uint32_t>(words_.size()); }
    std::uint64_t hash(std::uint32_t word) const { return words_[word].hash; }
    // How often it occurs as a stem; 0 for two letters of a script without spaces, which identify
    // a text together but are counted one by one.
    std::uint64_t count(std::uint32_t word) const { return words_[word].count; }
    // How many documents contain it.
    std::uint32_t holders(std::uint32_t word) const { return words_[word].holders; }

  private:
    struct Word {
        std::uint64_t hash, count;
        std::uint32_t holders, last;  // the last document that contains it, plus 1
    };

    void number(std::vector<std::uint64_t>& hashes);  // in their place
    std::uint32_t number_of(std::uint64_t hash);
    void grow();

    std::uint32_t stem_letters_;
    bool keep_order_;
    std::vector<Word> words_;
    std::vector<std::uint32_t> slots_;  // numbers by hash, and 1; a power of two, half free
    std::vector<std::uint32_t> sizes_;
    std::vector<std::vector<std::uint32_t>> blocks_;  // one a batch
    std::vector<std::span<const std::uint32_t>> orders_;
};

}  // namespace likewise
