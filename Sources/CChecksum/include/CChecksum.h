#ifndef ASTROLABE_CCHECKSUM_H
#define ASTROLABE_CCHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// Returns the CRC-32C (Castagnoli, reflected polynomial 0x82F63B78) of `count` bytes, continued from `crc`.
///
/// Start with 0. Uses the CPU's CRC instruction if available: SSE 4.2 with PCLMULQDQ on x86-64 (detected at run time),
/// or the CRC extension on arm64 (selected at compile time). Otherwise uses lookup tables, eight bytes at a time.
uint32_t astrolabe_crc32c(uint32_t crc, const void *bytes, size_t count);

/// Returns the same CRC-32C as `astrolabe_crc32c`, computed with lookup tables only.
uint32_t astrolabe_crc32c_portable(uint32_t crc, const void *bytes, size_t count);

/// Returns the CRC-32C of three little-endian words followed by `count` bytes: a record's header and payload in one
/// call.
uint32_t astrolabe_crc32c_record(uint64_t first, uint64_t second, uint64_t third, const void *bytes, size_t count);

#endif
