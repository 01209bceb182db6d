#include "CrashLayout.h"
#include <string.h>

size_t astrolabe_run_size(void) {
    const size_t page = 16384;
    return (sizeof(astrolabe_run) + page - 1) / page * page;
}

size_t astrolabe_run_size_with_images(int count) {
    return offsetof(astrolabe_run, images) + (size_t)count * sizeof(stored_image);
}

static const stored_section sections[] = {
#define SECTION(field, element) \
    {offsetof(astrolabe_run, field), sizeof(((astrolabe_run *)0)->element), \
     sizeof(((astrolabe_run *)0)->field) / sizeof(((astrolabe_run *)0)->element)},
    ASTROLABE_SECTIONS(SECTION)
#undef SECTION
};

void astrolabe_run_begin(astrolabe_run *run) {
    memcpy(run->sections, sections, sizeof sections);
    run->layout = ASTROLABE_RUN_LAYOUT;
    run->size = (uint32_t)sizeof(astrolabe_run);
    run->magic = ASTROLABE_RUN_MAGIC;
}

void astrolabe_run_set_text(astrolabe_run *run, int text, const char *value) {
    strncpy(run->texts[text], value, ASTROLABE_TEXT_SIZE - 1);
}

const char *astrolabe_run_text(const astrolabe_run *run, int text) { return run->texts[text]; }

void astrolabe_run_set(astrolabe_run *run, int word, uint64_t value) {
    atomic_store_explicit(&run->words[word], value, memory_order_release);
}

uint64_t astrolabe_run_get(const astrolabe_run *run, int word) {
    return atomic_load_explicit(&run->words[word], memory_order_acquire);
}

bool astrolabe_run_publish(astrolabe_run *run, int blob, const void *bytes, size_t count) {
    stored_blob *stored = &run->blobs[blob];
    if (count > ASTROLABE_BLOB_SIZE) return false;
    uint32_t next = 1 - (atomic_load_explicit(&stored->current, memory_order_relaxed) & 1);
    if (count > 0) memcpy(stored->bytes[next], bytes, count);
    stored->counts[next] = (uint32_t)count;
    atomic_store_explicit(&stored->current, next, memory_order_release);
    return true;
}

const uint8_t *astrolabe_run_published(const astrolabe_run *run, int blob, size_t *count) {
    const stored_blob *stored = &run->blobs[blob];
    uint32_t current = atomic_load_explicit(&stored->current, memory_order_acquire) & 1;
    *count = stored->counts[current] <= ASTROLABE_BLOB_SIZE ? stored->counts[current] : 0;
    return stored->bytes[current];
}

void astrolabe_run_add_crumb(astrolabe_run *run, const void *bytes, size_t count) {
    if (count > ASTROLABE_CRUMB_SIZE) return;
    stored_crumb *crumb = &run->crumbs[run->crumb_number % ASTROLABE_CRUMB_COUNT];
    atomic_store_explicit(&crumb->number, 0, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    memcpy(crumb->bytes, bytes, count);
    crumb->count = (uint32_t)count;
    run->crumb_number += 1;
    atomic_store_explicit(&crumb->number, run->crumb_number, memory_order_release);
}

const uint8_t *astrolabe_run_crumb(const astrolabe_run *run, int index, size_t *count) {
    uint64_t added = run->crumb_number;
    uint64_t kept = added < ASTROLABE_CRUMB_COUNT ? added : ASTROLABE_CRUMB_COUNT;
    if (index < 0 || (uint64_t)index >= kept) return NULL;
    uint64_t number = added - kept + (uint64_t)index;
    const stored_crumb *crumb = &run->crumbs[number % ASTROLABE_CRUMB_COUNT];
    bool is_whole = atomic_load_explicit(&crumb->number, memory_order_acquire) == number + 1;
    *count = is_whole && crumb->count <= ASTROLABE_CRUMB_SIZE ? crumb->count : 0;
    return crumb->bytes;
}

int astrolabe_run_image_count(const astrolabe_run *run) {
    uint32_t count = atomic_load_explicit(&run->image_count, memory_order_acquire);
    return count <= ASTROLABE_IMAGE_COUNT ? (int)count : ASTROLABE_IMAGE_COUNT;
}

const astrolabe_image *astrolabe_run_image(const astrolabe_run *run, int index) { return &run->images[index].image; }

const char *astrolabe_run_image_path(const astrolabe_run *run, int index) { return run->images[index].path; }

const astrolabe_crash *astrolabe_run_crash(const astrolabe_run *run) { return &run->crash; }

const uint64_t *astrolabe_run_registers(const astrolabe_run *run) { return run->registers; }

const char *astrolabe_run_message(const astrolabe_run *run) { return run->message; }

const uint8_t *astrolabe_run_open_spans(const astrolabe_run *run, size_t *count) {
    *count = run->span_bytes <= ASTROLABE_SPAN_MEMORY ? run->span_bytes : 0;
    return run->spans;
}

const astrolabe_exception *astrolabe_run_exception(const astrolabe_run *run) { return &run->exception; }

void astrolabe_note_exception(const char *name, const char *reason, const uint64_t *frames, uint32_t count) {
    astrolabe_run *run = astrolabe_handler.run;
    if (run == NULL) return;
    astrolabe_exception *exception = &run->exception;
    const uint32_t limit = sizeof exception->frames / sizeof *exception->frames;
    exception->frame_count = 0;
    strncpy(exception->reason, reason, sizeof exception->reason - 1);
    strncpy(exception->name, name, sizeof exception->name - 1);
    if (count > limit) count = limit;
    if (count > 0) memcpy(exception->frames, frames, count * sizeof *frames);
    exception->frame_count = count;
}

const astrolabe_thread *astrolabe_run_thread(const astrolabe_run *run, int index) { return &run->threads[index].head; }

const uint64_t *astrolabe_run_thread_frames(const astrolabe_run *run, int index) { return run->threads[index].frames; }

astrolabe_sample *astrolabe_run_sample(astrolabe_run *run, int index) { return &run->samples[index].head; }

uint64_t *astrolabe_run_sample_frames(astrolabe_run *run, int index) { return run->samples[index].frames; }
