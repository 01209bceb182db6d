// The heap of glibc. Elsewhere the functions do nothing.
#include <stddef.h>
#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

// Limits what the heap keeps for itself: two arenas however many threads there are, blocks of 1 MiB and more of their own, which
// go back when they are freed, and at most 8 MiB at the end of an arena.
static inline void console_heap_limit(void) {
#if defined(__GLIBC__)
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
#endif
}

// Returns all free pages to the system.
static inline void console_heap_release(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

// Returns the number of bytes that are allocated.
static inline size_t console_heap_in_use(void) {
#if defined(__GLIBC__)
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}
