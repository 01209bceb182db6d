#include "CAllocations.h"
#include <stdlib.h>
#include <zlib.h>

unsigned long gzip_size(const void *bytes, unsigned long count) {
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    unsigned long bound = deflateBound(&stream, count);
    unsigned char *output = malloc(bound);
    if (output == NULL) return 0;
    stream.next_in = (unsigned char *)bytes;
    stream.avail_in = (unsigned int)count;
    stream.next_out = output;
    stream.avail_out = (unsigned int)bound;
    int result = deflate(&stream, Z_FINISH);
    unsigned long size = result == Z_STREAM_END ? stream.total_out : 0;
    deflateEnd(&stream);
    free(output);
    return size;
}
