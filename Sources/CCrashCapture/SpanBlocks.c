#include "SpanBlocks.h"

void *astrolabe_span_blocks[8][8] __attribute__((aligned(64)));
