// The loop of find_letter_edges(). letter_words.cpp includes it once for each set of instructions,
// in a namespace that has Block, Tables and flatten(); TARGET is for the compiler.

// The characters of a block that are not ASCII. It begins with a character.
struct Letters {
    Bits words = 0, separators = 0;  // their bytes
    Bits upper = 0;                  // second bytes of capitals that differ in the bit 0x20
    Bits moved = 0;                  // ... and whose first bytes differ in the lowest bit
    Bits ligatures = 0;              // second bytes of capitals that differ in the lowest bit

    TARGET explicit Letters(const Block& block) {
        const Bits c3 = block.equal(0xC3) << 1, c2 = block.equal(0xC2) << 1;
        const Bits d0 = block.equal(0xD0) << 1, d1 = block.equal(0xD1) << 1;
        const Bits low = block.between(0x80, 0x9F), high = block.between(0xA0, 0xBF);
        // U+00D7 and U+00F7 are symbols, and U+00DF becomes two letters.
        const Bits odd = block.equal(0x97) | block.equal(0xB7) | block.equal(0x9F);
        const Bits latin = c3 & (low | high) & ~odd;
        const Bits below_90 = block.between(0x80, 0x8F);
        const Bits cyrillic = (d0 & (high | (low & ~below_90))) | (d1 & low);
        const Bits half = block.between(0xA0, 0xAF);
        Bits seconds = latin | cyrillic;
        upper = (latin | (d0 & cyrillic)) & low;
        moved = d0 & half;
        // What follows is in some blocks and not in others: a branch would be guessed wrongly.
        const Bits c5 = block.equal(0xC5) << 1;
        ligatures = c5 & block.equal(0x92);
        seconds |= ligatures | (c5 & block.equal(0x93));
        words = seconds | seconds >> 1;
        // No-break space and angle quotation marks.
        const Bits marks = c2 & (block.equal(0xA0) | block.equal(0xAB) | block.equal(0xBB));
        // Dashes, quotation marks and dots: U+2010 to U+2027, but not U+2017, which is a space
        // with a mark.
        const Bits e2 = block.equal(0xE2) << 1;
        const Bits thirds =
            (e2 & block.equal(0x80)) << 1 & ~block.equal(0x97) & block.between(0x90, 0xA7);
        separators = marks | marks >> 1 | thirds | thirds >> 1 | thirds >> 2;
    }
};

TARGET std::size_t find_letter_edges(const char* text, std::size_t size, const ByteClasses& classes,
                                     char* copy, std::uint32_t* edges) {
    const Tables tables(classes);
    const bool fold = classes.lower != 0;
    std::size_t count = 0;
    Bits inside = 0;  // 1 if the byte before this block is in a word
    for (std::size_t i = 0; i < size;) {
        alignas(32) char last[64];
        const char* from = text + i;
        if (size - i < 64) {  // never read past the end of a text: the rest counts as spaces
            std::memset(last, ' ', sizeof last);
            std::memcpy(last, from, size - i);
            from = last;
        }
        Block block(from);
        const Bits other = block.not_ascii();
        Bits words = block.ascii_words(tables);
        std::size_t used = 64;
        if (other == 0) {
            block.fold(tables);
        } else {
            // A character that the block cuts off comes with the next one.
            const auto first_of = [&](int at) { return static_cast<std::uint8_t>(from[at]); };
            if (first_of(63) >= 0xC0) {
                used = 63;
            } else if (first_of(62) >= 0xE0) {
                used = 62;
            }
            const Letters letters(block);
            const Bits valid = ~Bits{0} >> (64 - used);
            if ((other & ~(letters.words | letters.separators) & valid) != 0) return kUnknown;
            if (fold) {
                const Bits capitals = block.between('A', 'Z');
                block.flip(capitals | letters.upper | letters.moved, 0x20);
                if ((letters.moved | letters.ligatures) != 0) {
                    block.flip(letters.moved >> 1 | letters.ligatures, 1);
                }
            }
            words |= letters.words;
        }
        block.store(copy + i);
        Bits edge = words ^ (words << 1 | inside);
        edge &= ~Bits{0} >> (64 - used);
        inside = words >> (used - 1) & 1;
        count += flatten(edge, static_cast<std::uint32_t>(i), tables, edges + count);
        i += used;
    }
    if (inside) edges[count++] = static_cast<std::uint32_t>(size);
    return count;
}
