#ifndef ASTROLABE_SPANBLOCKS_H
#define ASTROLABE_SPANBLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A number below 8 that depends on where the running thread's stack lies: threads seldom have the same.
static inline uint64_t astrolabe_thread_shard(void) {
    // The top three bits of a product (Fibonacci hashing) of the address in units of 64 KiB.
    const uint64_t stack = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    return ((stack >> 16) * 0x9E3779B97F4A7C15u) >> 61;
}

/// The memory of spans that have ended, kept for the next ones: to take it is faster than to allocate it. Each thread
/// takes the block of its shard, so that threads seldom meet at one. Each address has a cache line of its own.
#define ASTROLABE_SPAN_BLOCK 1024
extern void *astrolabe_span_blocks[8][8];

static inline void **astrolabe_own_span_block(void) { return &astrolabe_span_blocks[astrolabe_thread_shard()][0]; }

/// Returns a block of `ASTROLABE_SPAN_BLOCK` bytes that can be anything; NULL if none is kept.
static inline void *astrolabe_take_span_block(void) {
    void **place = astrolabe_own_span_block();
    if (__atomic_load_n(place, __ATOMIC_RELAXED) == NULL) return NULL;
    return __atomic_exchange_n(place, NULL, __ATOMIC_ACQUIRE);
}

/// Keeps a block for a later span; false if there is one already.
static inline bool astrolabe_keep_span_block(void *block) {
    void **place = astrolabe_own_span_block();
    void *expected = NULL;
    if (__atomic_load_n(place, __ATOMIC_RELAXED) != NULL) return false;
    return __atomic_compare_exchange_n(place, &expected, block, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

#endif
