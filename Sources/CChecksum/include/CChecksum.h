#ifndef ASTROLABE_CCHECKSUM_H
#define ASTROLABE_CCHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// CRC-32C (Castagnoli, reflected polynomial 0x82F63B78) of `count` bytes, carried on from `crc`.
///
/// Start with 0. Uses the processor's instruction where there is one: SSE 4.2 with PCLMULQDQ on x86-64 (found at run
/// time), the CRC extension on arm64 (known when compiling). Otherwise tables, eight bytes at a time.
uint32_t astrolabe_crc32c(uint32_t crc, const void *bytes, size_t count);

/// The same by tables alone, whatever the processor has.
uint32_t astrolabe_crc32c_portable(uint32_t crc, const void *bytes, size_t count);

/// CRC-32C of three little-endian words and then `count` bytes: a record's header and payload in one call.
uint32_t astrolabe_crc32c_record(uint64_t first, uint64_t second, uint64_t third, const void *bytes, size_t count);

#endif
