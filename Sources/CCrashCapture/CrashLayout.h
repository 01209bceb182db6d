#ifndef ASTROLABE_CRASHLAYOUT_H
#define ASTROLABE_CRASHLAYOUT_H

#include "CCrashCapture.h"

#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

// tvOS and watchOS prohibit alternate signal stacks and reading the registers of other threads.
#if defined(__APPLE__) && (TARGET_OS_TV || TARGET_OS_WATCH)
#define ASTROLABE_IS_RESTRICTED 1
#else
#define ASTROLABE_IS_RESTRICTED 0
#endif

#include <signal.h>
#include <stdatomic.h>

//  The layout of a run's file, in the order of the struct below; all numbers are in native byte order.
//
//      +-------+-------+-------+-------------------+-------+--------------+-------------+-----+--------+
//      | magic | texts | words | table of sections | crash | blobs, twice | breadcrumbs | ... | images |
//      +-------+-------+-------+-------------------+-------+--------------+-------------+-----+--------+
//      |<---------------- head --------------------------->|<----------- sections ---------------------
//
//  Nothing is ever moved, and everything with a count is written before it is counted.
//
//  The images are last, because there is room for many more than most processes have: disk space is allocated for as
//  many as there are.
//
//  The head has the same offsets in every version from layout 4 on, older or newer than the reader's. It may grow into its
//  reserved bytes. The table says where the sections are, so a version reads all sections of another one that it knows.
//  The first three layouts had no table: `RunReader.c` knows where their sections are.
//
//  An element of a section may grow at its end. Any other change gives it a new number, and the old one stays unused.

#define ASTROLABE_RUN_MAGIC UINT64_C(0x316e7572726f7461)
#define ASTROLABE_RUN_LAYOUT 4
#define ASTROLABE_SCRATCH_SIZE 4096
#define ASTROLABE_WORD_PLACES 32
#define ASTROLABE_SECTION_PLACES 16

typedef struct {
    _Atomic uint32_t current;
    uint32_t counts[2];
    uint8_t bytes[2][ASTROLABE_BLOB_SIZE];
} stored_blob;

typedef struct {
    // 0 while it is being written.
    _Atomic uint64_t number;
    uint32_t count;
    uint8_t bytes[ASTROLABE_CRUMB_SIZE];
} stored_crumb;

typedef struct {
    astrolabe_image image;
    char path[ASTROLABE_IMAGE_PATH];
} stored_image;

enum { THREAD_IS_REQUESTED = 1, THREAD_RESPONDS = 2, THREAD_HAS_RESPONDED = 3 };

typedef struct {
    astrolabe_thread head;
    // Receives words read from possibly unmapped memory.
    uint64_t scratch[2];
    astrolabe_span_ids span;
    uint64_t frames[ASTROLABE_FRAME_COUNT];
} stored_thread;

typedef struct {
    astrolabe_sample head;
    uint64_t frames[ASTROLABE_SAMPLE_FRAMES];
} stored_sample;

// `count` elements of `size` bytes each, from `offset` on; no element if the file has no such section.
typedef struct {
    uint32_t offset, size, count;
} stored_section;

// The sections that another process reads, in the order of their numbers: the name of the field and of an element.
#define ASTROLABE_SECTIONS(SECTION) \
    SECTION(blobs, blobs[0]) \
    SECTION(crumb_number, crumb_number) \
    SECTION(crumbs, crumbs[0]) \
    SECTION(image_count, image_count) \
    SECTION(images, images[0]) \
    SECTION(registers, registers[0]) \
    SECTION(message, message[0]) \
    SECTION(exception, exception) \
    SECTION(span_bytes, span_bytes) \
    SECTION(spans, spans[0]) \
    SECTION(threads, threads[0]) \
    SECTION(samples, samples[0])

enum {
#define ASTROLABE_SECTION_NUMBER(field, element) SECTION_##field,
    ASTROLABE_SECTIONS(ASTROLABE_SECTION_NUMBER)
#undef ASTROLABE_SECTION_NUMBER
    SECTION_COUNT,
};

struct astrolabe_run {
    uint64_t magic;
    uint32_t layout;
    uint32_t size;
    char texts[ASTROLABE_TEXT_COUNT][ASTROLABE_TEXT_SIZE];
    _Atomic uint64_t words[ASTROLABE_WORD_PLACES];
    stored_section sections[ASTROLABE_SECTION_PLACES];
    astrolabe_crash crash;
    uint8_t reserved[72];
    // The head ends here.
    stored_blob blobs[ASTROLABE_BLOB_COUNT];
    uint64_t crumb_number;
    stored_crumb crumbs[ASTROLABE_CRUMB_COUNT];
    uint64_t images_loaded;
    _Atomic uint32_t image_count;
    uint64_t registers[ASTROLABE_REGISTER_COUNT];
    char message[ASTROLABE_MESSAGE_SIZE];
    uint8_t scratch[ASTROLABE_SCRATCH_SIZE];
    astrolabe_exception exception;
    uint32_t span_bytes;
    uint8_t spans[ASTROLABE_SPAN_MEMORY];
    stored_thread threads[ASTROLABE_THREAD_COUNT];
    stored_thread sampled;
    stored_sample samples[ASTROLABE_SAMPLE_COUNT];
    stored_image images[ASTROLABE_IMAGE_COUNT];
};

#define ASTROLABE_HEAD_SIZE 1536
_Static_assert(offsetof(astrolabe_run, texts) == 16, "the place of the texts in every layout");
_Static_assert(ASTROLABE_TEXT_COUNT == 7, "more texts need a section");
_Static_assert(offsetof(astrolabe_run, words) == 912, "the place of the words in every layout");
_Static_assert((int)ASTROLABE_WORD_COUNT <= ASTROLABE_WORD_PLACES, "more words need a section");
_Static_assert(offsetof(astrolabe_run, sections) == 1168, "the place of the table since layout 4");
_Static_assert((int)SECTION_COUNT <= ASTROLABE_SECTION_PLACES, "the places of the table since layout 4");
_Static_assert(offsetof(astrolabe_run, crash) == 1360, "the place of the crash since layout 4");
_Static_assert(offsetof(astrolabe_run, blobs) == ASTROLABE_HEAD_SIZE, "the size of the head since layout 4");
_Static_assert(ASTROLABE_CRUMB_COUNT == 100, "breadcrumbs are found by this number");

// The signals of crashes.
#define ASTROLABE_SIGNALS { SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS }
#define ASTROLABE_SIGNAL_COUNT 7

// Signals that end a process by default and are no crash.
#define ASTROLABE_ENDING_SIGNALS { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU }
#define ASTROLABE_ENDING_SIGNAL_COUNT 6

// The signal that requests a thread's stack. libdispatch's threads, and with them those of Swift concurrency, do not
// block it.
#define ASTROLABE_SAMPLING_SIGNAL SIGPROF

// The handlers' data, set before they are installed.
typedef struct {
    astrolabe_run *run;
    // The descriptor of the run's file; -1 when the run has ended.
    int file;
    uint32_t main_thread;
    uint32_t process;
    // The Swift runtime's message of a fatal error, or NULL.
    const char *const *swift_message;
    // The C library's message of an abort, its size and then its text, or NULL.
    const char *const *abort_message;
    // On Apple platforms, the messages that libraries leave for crash reports, the Swift runtime's first; or NULL.
    const char *const *library_messages[4];
    struct sigaction previous[ASTROLABE_SIGNAL_COUNT];
    struct sigaction previous_sampling;
} astrolabe_handler_state;

extern astrolabe_handler_state astrolabe_handler;

// Notes uncaught C++ exceptions from now on.
void astrolabe_terminate_install(void);

void astrolabe_handle_crash(int signal, siginfo_t *info, void *context);
void astrolabe_handle_sampling(int signal, siginfo_t *info, void *context);
void astrolabe_handle_ending(int signal, siginfo_t *info, void *context);

#endif
