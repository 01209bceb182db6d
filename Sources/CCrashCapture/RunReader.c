#include "CrashLayout.h"
#include <stdlib.h>
#include <string.h>

// Reads the files of this version, of earlier and of later ones into the layout of this version.

// A layout without a table of sections. Its numbers are those of its time.
typedef struct {
    uint32_t layout, size;
    uint32_t words;
    uint32_t crash;
    stored_section sections[SECTION_COUNT];
} known_layout;

// Bytes of a crash, and the number of words, in the first layouts.
#define FIRST_CRASH_SIZE 96
#define FIRST_WORD_COUNT 17
// The smallest head: up to the end of the first layouts' words.
#define FIRST_HEAD_SIZE (912 + 8 * FIRST_WORD_COUNT)

static const known_layout known_layouts[] = {
    {1, 404560, 17, 309896, {
        [SECTION_blobs] = {1048, 32780, 2}, [SECTION_crumb_number] = {66608, 8, 1}, [SECTION_crumbs] = {66616, 1040, 100},
        [SECTION_image_count] = {170624, 4, 1}, [SECTION_images] = {170632, 272, 512},
        [SECTION_registers] = {309992, 8, 36}, [SECTION_message] = {310280, 1, 2048},
        [SECTION_threads] = {316424, 1096, 64}, [SECTION_samples] = {387664, 528, 32}}},
    {2, 822352, 17, 727688, {
        [SECTION_blobs] = {1048, 32780, 2}, [SECTION_crumb_number] = {66608, 8, 1}, [SECTION_crumbs] = {66616, 1040, 100},
        [SECTION_image_count] = {170624, 4, 1}, [SECTION_images] = {170632, 272, 2048},
        [SECTION_registers] = {727784, 8, 36}, [SECTION_message] = {728072, 1, 2048},
        [SECTION_threads] = {734216, 1096, 64}, [SECTION_samples] = {805456, 528, 32}}},
    {3, 822360, 18, 727696, {
        [SECTION_blobs] = {1056, 32780, 2}, [SECTION_crumb_number] = {66616, 8, 1}, [SECTION_crumbs] = {66624, 1040, 100},
        [SECTION_image_count] = {170632, 4, 1}, [SECTION_images] = {170640, 272, 2048},
        [SECTION_registers] = {727792, 8, 36}, [SECTION_message] = {728080, 1, 2048},
        [SECTION_threads] = {734224, 1096, 64}, [SECTION_samples] = {805464, 528, 32}}},
    {3, 920688, 18, 760480, {
        [SECTION_blobs] = {1056, 32780, 3}, [SECTION_crumb_number] = {99400, 8, 1}, [SECTION_crumbs] = {99408, 1040, 100},
        [SECTION_image_count] = {203416, 4, 1}, [SECTION_images] = {203424, 272, 2048},
        [SECTION_registers] = {760576, 8, 36}, [SECTION_message] = {760864, 1, 2048},
        [SECTION_span_bytes] = {767008, 4, 1}, [SECTION_spans] = {767012, 1, 65536},
        [SECTION_threads] = {832552, 1096, 64}, [SECTION_samples] = {903792, 528, 32}}},
    {3, 923896, 18, 760480, {
        [SECTION_blobs] = {1056, 32780, 3}, [SECTION_crumb_number] = {99400, 8, 1}, [SECTION_crumbs] = {99408, 1040, 100},
        [SECTION_image_count] = {203416, 4, 1}, [SECTION_images] = {203424, 272, 2048},
        [SECTION_registers] = {760576, 8, 36}, [SECTION_message] = {760864, 1, 2048},
        [SECTION_exception] = {767008, 3208, 1}, [SECTION_span_bytes] = {770216, 4, 1}, [SECTION_spans] = {770220, 1, 65536},
        [SECTION_threads] = {835760, 1096, 64}, [SECTION_samples] = {907000, 528, 32}}},
};

// The start of a file.
typedef struct {
    uint64_t magic;
    uint32_t layout, size;
} run_head;

static run_head head_of(const void *file) {
    run_head head;
    memcpy(&head, file, sizeof head);
    return head;
}

bool astrolabe_run_is_valid(const void *file, size_t size) {
    return size >= FIRST_HEAD_SIZE && head_of(file).magic == ASTROLABE_RUN_MAGIC;
}

static const known_layout *known_layout_of(const void *file) {
    run_head head = head_of(file);
    for (size_t index = 0; index < sizeof known_layouts / sizeof *known_layouts; index++) {
        const known_layout *known = &known_layouts[index];
        if (known->layout == head.layout && known->size == head.size) return known;
    }
    return NULL;
}

// Copies bytes that are in the file; false if they are not.
static bool copy_bytes(void *place, const void *file, size_t size, uint64_t offset, uint64_t count) {
    if (offset > size || count > size - offset) return false;
    memcpy(place, (const uint8_t *)file + offset, count);
    return true;
}

static uint32_t smaller(uint32_t one, uint32_t other) { return one < other ? one : other; }

// Copies what is not zero to a place that is zero. Most of a file is, and the pages of such a copy are never touched.
static void copy_used(uint8_t *place, const uint8_t *bytes, size_t size) {
    static const uint8_t zeros[4096];
    while (size > 0) {
        size_t count = size < sizeof zeros ? size : sizeof zeros;
        if (memcmp(bytes, zeros, count) != 0) memcpy(place, bytes, count);
        place += count;
        bytes += count;
        size -= count;
    }
}

// Copies as many elements as both have, and of each what both have. False if the section cannot be read.
static bool copy_section(void *place, stored_section own, stored_section theirs, const void *file, size_t size) {
    uint32_t bytes = smaller(own.size, theirs.size);
    uint32_t count = smaller(own.count, theirs.count);
    uint64_t end = theirs.offset + (uint64_t)theirs.size * theirs.count;
    if (end > size) return false;
    if (own.size == theirs.size) {
        copy_used(place, (const uint8_t *)file + theirs.offset, (size_t)bytes * count);
        return true;
    }
    for (uint32_t index = 0; index < count; index++) {
        uint64_t offset = theirs.offset + (uint64_t)index * theirs.size;
        memcpy((uint8_t *)place + (size_t)index * own.size, (const uint8_t *)file + offset, bytes);
    }
    return true;
}

// Has the crash not count what is not in the copy.
static void forget(astrolabe_run *copy, int section) {
    if (section == SECTION_registers) copy->crash.register_count = 0;
    if (section == SECTION_message) copy->crash.message_size = 0;
    if (section == SECTION_threads) copy->crash.thread_count = 0;
}

static bool copy_sections(astrolabe_run *copy, const stored_section *sections, const void *file, size_t size) {
    bool is_earlier = head_of(file).layout < ASTROLABE_RUN_LAYOUT;
    bool is_whole = true;
    for (int index = 0; index < SECTION_COUNT; index++) {
        stored_section own = copy->sections[index], theirs = sections[index];
        if (theirs.count == 0) {
            // An earlier version did not have it. A later one has it under another number.
            if (!is_earlier) is_whole = false;
            forget(copy, index);
            continue;
        }
        bool is_other_ring = index == SECTION_crumbs && theirs.count != own.count;
        if (is_other_ring || !copy_section((uint8_t *)copy + own.offset, own, theirs, file, size)) {
            is_whole = false;
            forget(copy, index);
        }
    }
    return is_whole;
}

// Ends each text, whatever the file contains.
static void end_texts(astrolabe_run *copy) {
    for (int text = 0; text < ASTROLABE_TEXT_COUNT; text++) copy->texts[text][ASTROLABE_TEXT_SIZE - 1] = 0;
    for (int image = 0; image < astrolabe_run_image_count(copy); image++) {
        copy->images[image].path[ASTROLABE_IMAGE_PATH - 1] = 0;
    }
}

astrolabe_run *astrolabe_run_copy(const void *file, size_t size, bool with_sections, enum astrolabe_extent *extent) {
    astrolabe_run *copy = calloc(1, sizeof *copy);
    if (copy == NULL) return NULL;
    astrolabe_run_begin(copy);
    // From layout 4 on, the file says where its sections are.
    bool has_table = head_of(file).layout >= 4;
    const known_layout *known = has_table ? NULL : known_layout_of(file);
    stored_section table[ASTROLABE_SECTION_PLACES] = {{0, 0, 0}};
    const stored_section *sections = table;
    size_t words = sizeof copy->words, crash_size = sizeof copy->crash;
    uint64_t crash = offsetof(astrolabe_run, crash);
    if (!has_table) {
        words = sizeof(uint64_t) * (known == NULL ? FIRST_WORD_COUNT : known->words);
        crash_size = FIRST_CRASH_SIZE;
        // Nothing more is known of a layout that is not listed.
        crash = known == NULL ? UINT64_MAX : known->crash;
        if (known != NULL) sections = known->sections;
    } else if (!copy_bytes(table, file, size, offsetof(astrolabe_run, sections), sizeof table)) {
        with_sections = false;
    }
    bool has_texts = copy_bytes(copy->texts, file, size, offsetof(astrolabe_run, texts), sizeof copy->texts);
    bool has_words = copy_bytes((void *)copy->words, file, size, offsetof(astrolabe_run, words), words);
    bool has_crash = copy_bytes(&copy->crash, file, size, crash, crash_size);
    *extent = has_texts && has_words && has_crash ? ASTROLABE_EXTENT_HEAD : ASTROLABE_EXTENT_PART;
    if (with_sections) {
        bool has_sections = copy_sections(copy, sections, file, size);
        if (has_sections && *extent == ASTROLABE_EXTENT_HEAD) *extent = ASTROLABE_EXTENT_WHOLE;
    } else {
        for (int index = 0; index < SECTION_COUNT; index++) forget(copy, index);
    }
    end_texts(copy);
    return copy;
}

void astrolabe_run_free(astrolabe_run *copy) { free(copy); }
