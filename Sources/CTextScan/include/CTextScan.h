#ifndef ASTROLABE_CTEXTSCAN_H
#define ASTROLABE_CTEXTSCAN_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// The places that a look at 16 bytes of a text finds: a bit for each byte, the lowest for the first.
typedef struct {
    /// A blank, a control character, one of `%-/:;<=>?@_IJ`, or a `v` in either case: what begins or ends something that
    /// may be sensitive.
    uint32_t places;
    /// The decimal digits.
    uint32_t digits;
} astrolabe_text_scan;

#if defined(__SSE2__)

typedef __m128i astrolabe_text;

static inline __attribute__((always_inline)) astrolabe_text_scan astrolabe_scan(astrolabe_text text) {
#define BYTES(byte) _mm_set1_epi8((char)(byte))
#define BETWEEN(first, last) _mm_and_si128(_mm_cmpgt_epi8(text, BYTES((first) - 1)), _mm_cmpgt_epi8(BYTES((last) + 1), text))
    __m128i found = _mm_or_si128(BETWEEN(0, 0x20), BETWEEN(':', '@'));
    found = _mm_or_si128(found, BETWEEN('I', 'J'));
    found = _mm_or_si128(found, _mm_cmpeq_epi8(text, BYTES('%')));
    found = _mm_or_si128(found, _mm_cmpeq_epi8(text, BYTES('_')));
    found = _mm_or_si128(found, _mm_cmpeq_epi8(_mm_or_si128(text, BYTES(2)), BYTES('/')));
    found = _mm_or_si128(found, _mm_cmpeq_epi8(_mm_or_si128(text, BYTES(0x20)), BYTES('v')));
    const astrolabe_text_scan scan = {
        (uint32_t)_mm_movemask_epi8(found), (uint32_t)_mm_movemask_epi8(BETWEEN('0', '9'))};
#undef BETWEEN
#undef BYTES
    return scan;
}

#else

typedef uint8_t astrolabe_text __attribute__((vector_size(16)));

// A bit for each byte of the vector, whose bytes are 0 or 255.
static inline __attribute__((always_inline)) uint32_t astrolabe_text_bits(astrolabe_text found) {
    uint64_t halves[2];
    memcpy(halves, &found, sizeof halves);
    // The lowest bit of each byte, gathered in the highest byte of a product.
    const uint64_t ones = 0x0101010101010101u, gather = 0x0102040810204080u;
    return (uint32_t)((halves[0] & ones) * gather >> 56) | (uint32_t)((halves[1] & ones) * gather >> 56) << 8;
}

static inline __attribute__((always_inline)) astrolabe_text_scan astrolabe_scan(astrolabe_text text) {
    const astrolabe_text found = (astrolabe_text)(
        (text <= 0x20) | ((text >= ':') & (text <= '@')) | (text == 'I') | (text == 'J') | (text == '%') |
        (text == '_') | ((text | 2) == '/') | ((text | 0x20) == 'v'));
    const astrolabe_text digits = (astrolabe_text)((text >= '0') & (text <= '9'));
    const astrolabe_text_scan scan = {astrolabe_text_bits(found), astrolabe_text_bits(digits)};
    return scan;
}

#endif

/// Looks at 16 bytes.
static inline __attribute__((always_inline)) astrolabe_text_scan astrolabe_scan_text(const void *bytes) {
    astrolabe_text text;
    memcpy(&text, bytes, sizeof text);
    return astrolabe_scan(text);
}

/// Looks at 16 bytes that are in two words, as a little-endian processor reads them.
static inline __attribute__((always_inline)) astrolabe_text_scan astrolabe_scan_words(uint64_t first, uint64_t second) {
    const uint64_t words[2] = {first, second};
    return astrolabe_scan_text(words);
}

#endif
