#include "CChecksum.h"

#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#include <wmmintrin.h>
#define HAS_FOLDED_PATH 1
#elif defined(__aarch64__) && (defined(__ARM_FEATURE_CRC32) || defined(__APPLE__))
// Every processor of iOS 16 and later has the instruction, although the compiler does not assume so.
#define HAS_STRAIGHT_PATH 1
#endif

static uint64_t load64(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

// Tables: slicing by eight (Kounavis and Berry, 2005).

static uint32_t table[8][256];

__attribute__((constructor)) static void make_tables(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (0x82F63B78u & (0u - (crc & 1)));
        table[0][byte] = crc;
    }
    for (uint32_t byte = 0; byte < 256; byte++)
        for (int slice = 1; slice < 8; slice++)
            table[slice][byte] = (table[slice - 1][byte] >> 8) ^ table[0][table[slice - 1][byte] & 0xFF];
}

static uint32_t tabled(uint32_t state, const uint8_t *bytes, size_t count) {
    while (count >= 8) {
        uint64_t word = load64(bytes) ^ state;
        state = table[7][word & 0xFF] ^ table[6][(word >> 8) & 0xFF] ^ table[5][(word >> 16) & 0xFF] ^
                table[4][(word >> 24) & 0xFF] ^ table[3][(word >> 32) & 0xFF] ^ table[2][(word >> 40) & 0xFF] ^
                table[1][(word >> 48) & 0xFF] ^ table[0][word >> 56];
        bytes += 8;
        count -= 8;
    }
    while (count-- > 0) state = (state >> 8) ^ table[0][(state ^ *bytes++) & 0xFF];
    return state;
}

#if HAS_FOLDED_PATH

// The instruction takes three cycles and one can start in each cycle, so three stretches of the bytes are summed in
// parallel. The sums of the first two are then moved over the bytes that follow them. This is a product with x^(8n -
// 33) modulo the polynomial, reduced by the instruction itself, which supplies the missing x^33.

#define X86 __attribute__((target("sse4.2,pclmul")))

X86 static uint32_t moved(uint32_t state, uint32_t power) {
    __m128i product = _mm_clmulepi64_si128(_mm_cvtsi32_si128((int)state), _mm_cvtsi32_si128((int)power), 0);
    return (uint32_t)_mm_crc32_u64(0, (uint64_t)_mm_cvtsi128_si64(product));
}

#define THREE_STRETCHES(size, over_two, over_one)                                   \
    while (count >= 3 * (size)) {                                                   \
        uint64_t a = state, b = 0, c = 0;                                           \
        for (size_t at = 0; at < (size); at += 8) {                                 \
            a = _mm_crc32_u64(a, load64(bytes + at));                               \
            b = _mm_crc32_u64(b, load64(bytes + (size) + at));                      \
            c = _mm_crc32_u64(c, load64(bytes + 2 * (size) + at));                  \
        }                                                                           \
        state = moved((uint32_t)a, over_two) ^ moved((uint32_t)b, over_one) ^ (uint32_t)c; \
        bytes += 3 * (size);                                                        \
        count -= 3 * (size);                                                        \
    }

X86 static uint32_t folded(uint32_t state, const uint8_t *bytes, size_t count) {
    THREE_STRETCHES(128, 0xB9E02B86u, 0x0D3B6092u)
    THREE_STRETCHES(32, 0x9E4ADDF8u, 0xBA4FC28Eu)
    for (; count >= 8; bytes += 8, count -= 8) state = (uint32_t)_mm_crc32_u64(state, load64(bytes));
    while (count-- > 0) state = _mm_crc32_u8(state, *bytes++);
    return state;
}

X86 static uint32_t folded_words(uint64_t first, uint64_t second, uint64_t third) {
    return (uint32_t)_mm_crc32_u64(_mm_crc32_u64(_mm_crc32_u64(0xFFFFFFFFu, first), second), third);
}

static int has_instruction;

__attribute__((constructor)) static void ask_processor(void) {
    __builtin_cpu_init();
    has_instruction = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul");
}

#elif HAS_STRAIGHT_PATH

__attribute__((target("crc"))) static uint32_t straight(uint32_t state, const uint8_t *bytes, size_t count) {
    for (; count >= 8; bytes += 8, count -= 8) state = __builtin_arm_crc32cd(state, load64(bytes));
    while (count-- > 0) state = __builtin_arm_crc32cb(state, *bytes++);
    return state;
}

#endif

static uint32_t update(uint32_t state, const uint8_t *bytes, size_t count) {
#if HAS_FOLDED_PATH
    if (has_instruction) return folded(state, bytes, count);
#elif HAS_STRAIGHT_PATH
    return straight(state, bytes, count);
#endif
    return tabled(state, bytes, count);
}

uint32_t astrolabe_crc32c(uint32_t crc, const void *bytes, size_t count) {
    return ~update(~crc, bytes, count);
}

uint32_t astrolabe_crc32c_portable(uint32_t crc, const void *bytes, size_t count) {
    return ~tabled(~crc, bytes, count);
}

uint32_t astrolabe_crc32c_record(uint64_t first, uint64_t second, uint64_t third, const void *bytes, size_t count) {
#if HAS_FOLDED_PATH
    if (has_instruction) return ~folded(folded_words(first, second, third), bytes, count);
#endif
    uint64_t words[3] = {first, second, third};
    return ~update(update(0xFFFFFFFFu, (const uint8_t *)words, sizeof words), bytes, count);
}
