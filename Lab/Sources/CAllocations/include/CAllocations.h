#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

#include <stddef.h>

/// The number of times that this thread has called malloc, calloc, realloc, posix_memalign or aligned_alloc; 0 if the
/// platform does not let a program stand in front of its allocator.
unsigned long long allocations_of_this_thread(void);

/// The size of `count` bytes once gzip has compressed them at its default level; 0 where it cannot.
unsigned long gzip_size(const void *bytes, unsigned long count);

#endif
