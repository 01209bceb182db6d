#ifndef ASTROLABE_CCRASHCAPTURE_H
#define ASTROLABE_CCRASHCAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__APPLE__)
#include <pthread.h>
#endif

#if defined(__cplusplus)
extern "C" {
#endif

/// A memory-mapped, preallocated file that survives the process however it ends.
///
/// A signal handler can write to it without calling any function.
typedef struct astrolabe_run astrolabe_run;

/// Returns the size of the file in bytes.
size_t astrolabe_run_size(void);
/// Initializes a run in zeroed memory.
void astrolabe_run_begin(astrolabe_run *run);
/// Returns whether a file contains a run, of this layout or another. False if its process ended before it began the run.
bool astrolabe_run_is_valid(const void *file, size_t size);
/// The extent to which a file could be read.
enum astrolabe_extent {
    /// Not all texts, words and the crash.
    ASTROLABE_EXTENT_PART,
    /// Texts, words and the crash, but not everything else that this version looks for.
    ASTROLABE_EXTENT_HEAD,
    ASTROLABE_EXTENT_WHOLE,
};
/// Returns a copy of a file's run in the layout of this version; NULL if no memory is available.
///
/// - `file` is valid, and no process changes it.
/// - `with_sections` is false to read the texts, the words and the crash only.
astrolabe_run *astrolabe_run_copy(const void *file, size_t size, bool with_sections, enum astrolabe_extent *extent);
void astrolabe_run_free(astrolabe_run *copy);

/// Texts that are stored once, zero-terminated.
enum astrolabe_text {
    ASTROLABE_TEXT_RUN_ID,
    ASTROLABE_TEXT_CRASH_ID,
    ASTROLABE_TEXT_BOOT_ID,
    ASTROLABE_TEXT_APP_VERSION,
    ASTROLABE_TEXT_APP_BUILD,
    ASTROLABE_TEXT_OS_NAME,
    ASTROLABE_TEXT_OS_VERSION,
    ASTROLABE_TEXT_COUNT,
};
/// Bytes of a text including its zero.
#define ASTROLABE_TEXT_SIZE 128
void astrolabe_run_set_text(astrolabe_run *run, int text, const char *value);
const char *astrolabe_run_text(const astrolabe_run *run, int text);

/// Words that change while the app runs; each is stored and read atomically.
///
/// The first 17 are in every layout, and can be set in the file of any version.
enum astrolabe_word {
    /// 1 once the run has ended normally.
    ASTROLABE_WORD_IS_CLEAN,
    /// 0 while the SDK starts, then 1.
    ASTROLABE_WORD_PHASE,
    /// The app's lifecycle state, as a code of `AppHealth`.
    ASTROLABE_WORD_LIFECYCLE,
    ASTROLABE_WORD_PID,
    /// Nanoseconds since 1970.
    ASTROLABE_WORD_PROCESS_START,
    ASTROLABE_WORD_HEARTBEAT,
    /// Bytes.
    ASTROLABE_WORD_MEMORY_FREE,
    ASTROLABE_WORD_MEMORY_USED,
    /// The number of attempts to report the run.
    ASTROLABE_WORD_ATTEMPTS,
    /// Bits of the parts of the run that have been reported.
    ASTROLABE_WORD_REPORTED,
    /// The start of the hang that is in progress or not recorded yet in nanoseconds since 1970, or 0.
    ASTROLABE_WORD_HANG_BEGAN,
    ASTROLABE_WORD_HANG_SEEN,
    ASTROLABE_WORD_HANG_INTERVAL,
    ASTROLABE_WORD_HANG_SAMPLES,
    ASTROLABE_WORD_HANG_TRACE_HIGH,
    ASTROLABE_WORD_HANG_TRACE_LOW,
    ASTROLABE_WORD_HANG_SPAN,
    /// 1 while the start waits until earlier crashes are sent.
    ASTROLABE_WORD_IS_SENDING,
    /// When the SDK started in the process, or when a prewarmed process launched, in nanoseconds since 1970.
    ASTROLABE_WORD_LAUNCH,
    /// 1 in a process that the system prewarmed until it launches, then 2; 0 in other processes.
    ASTROLABE_WORD_PREWARMED,
    /// 1 once the process has called `exit` or has returned from its main function.
    ASTROLABE_WORD_HAS_EXITED,
    /// The signal that ended the process and is no crash, or 0.
    ASTROLABE_WORD_END_SIGNAL,
    /// The id of the hang in progress, a UUID.
    ASTROLABE_WORD_HANG_ID_HIGH,
    ASTROLABE_WORD_HANG_ID_LOW,
    /// 0 while the hang is in progress, 1 if it has ended, 2 if the app has left the foreground meanwhile.
    ASTROLABE_WORD_HANG_STATE,
    /// When metrics were last collected, in nanoseconds since 1970; 0 if none can be lost.
    ASTROLABE_WORD_COLLECTED,
    ASTROLABE_WORD_COUNT,
};
void astrolabe_run_set(astrolabe_run *run, int word, uint64_t value);
uint64_t astrolabe_run_get(const astrolabe_run *run, int word);

/// Bytes that are replaced as a whole: after the process ends, a reader finds the old ones or the new ones.
enum astrolabe_blob {
    ASTROLABE_BLOB_AMBIENT,
    ASTROLABE_BLOB_HANG_AMBIENT,
    /// The names of the instrumentation scopes by their numbers.
    ASTROLABE_BLOB_SCOPES,
    ASTROLABE_BLOB_COUNT,
};
#define ASTROLABE_BLOB_SIZE 16384
/// Stores bytes; returns false and stores nothing if there are too many. Not for concurrent calls.
bool astrolabe_run_publish(astrolabe_run *run, int blob, const void *bytes, size_t count);
const uint8_t *astrolabe_run_published(const astrolabe_run *run, int blob, size_t *count);

/// The last breadcrumbs, each as JSON text.
#define ASTROLABE_CRUMB_SIZE 1024
#define ASTROLABE_CRUMB_COUNT 100
/// Adds a breadcrumb. Not for concurrent calls.
void astrolabe_run_add_crumb(astrolabe_run *run, const void *bytes, size_t count);
/// Returns a breadcrumb; `index` counts from the oldest. NULL if there is none.
const uint8_t *astrolabe_run_crumb(const astrolabe_run *run, int index, size_t *count);

/// An executable or library in memory.
typedef struct {
    /// The value added to the addresses in its file: the load bias, or on Mach-O the header's address.
    uint64_t bias;
    /// The first byte and the byte after the last.
    uint64_t begin, end;
    /// The range of the code segment.
    uint64_t code_begin, code_end;
    uint8_t build_id[32];
    uint8_t build_id_size;
    uint8_t is_app;
} astrolabe_image;
/// Maximum number of images. An app on iOS 16 and later has 600 to 770, nearly all of them the system's.
#define ASTROLABE_IMAGE_COUNT 2048
#define ASTROLABE_IMAGE_PATH 192
int astrolabe_run_image_count(const astrolabe_run *run);
const astrolabe_image *astrolabe_run_image(const astrolabe_run *run, int index);
const char *astrolabe_run_image_path(const astrolabe_run *run, int index);
/// The number of images in the process; on Linux of those that were ever loaded.
int astrolabe_loaded_image_count(void);
/// Bytes of a file up to the end of so many images.
size_t astrolabe_run_size_with_images(int count);
/// Adds new images if any were loaded since the last call, until there are `room` of them. Not for concurrent calls.
void astrolabe_run_collect_images(astrolabe_run *run, int room);

/// The progress of a handler.
enum astrolabe_stage {
    ASTROLABE_STAGE_NONE,
    ASTROLABE_STAGE_BEGUN,
    ASTROLABE_STAGE_REGISTERS,
    ASTROLABE_STAGE_STACK,
    ASTROLABE_STAGE_THREADS,
    ASTROLABE_STAGE_COMPLETE,
};

#define ASTROLABE_REGISTER_COUNT 36
typedef struct {
    uint32_t stage;
    uint32_t is_nested;
    int32_t signal;
    int32_t code;
    uint64_t address;
    uint64_t time;
    uint64_t trace_high, trace_low, span;
    uint64_t lifecycle;
    uint64_t phase;
    uint64_t stack_pointer;
    uint32_t thread_count;
    uint32_t register_count;
    uint32_t message_size;
    uint32_t owner;
    uint64_t program_counter;
} astrolabe_crash;
#define ASTROLABE_MESSAGE_SIZE 2048
const astrolabe_crash *astrolabe_run_crash(const astrolabe_run *run);
const uint64_t *astrolabe_run_registers(const astrolabe_run *run);
const char *astrolabe_run_message(const astrolabe_run *run);

/// The uncaught exception that ended the process by SIGABRT.
#define ASTROLABE_EXCEPTION_NAME_SIZE 128
typedef struct {
    /// Zero-terminated; empty if there was no exception.
    char name[ASTROLABE_EXCEPTION_NAME_SIZE];
    char reason[ASTROLABE_MESSAGE_SIZE];
    /// Return addresses of the place that threw it, innermost first; none if the crashed thread's stack names it.
    uint32_t frame_count;
    uint64_t frames[128];
} astrolabe_exception;
const astrolabe_exception *astrolabe_run_exception(const astrolabe_run *run);
/// Stores an exception in the run whose handlers are installed. Does nothing without one.
void astrolabe_note_exception(const char *name, const char *reason, const uint64_t *frames, uint32_t count);

#define ASTROLABE_THREAD_COUNT 64
#define ASTROLABE_FRAME_COUNT 128
/// Set in the address of a frame that was found by scanning the stack.
#define ASTROLABE_FRAME_IS_SCANNED (UINT64_C(1) << 63)
typedef struct {
    uint32_t id;
    uint32_t state;
    uint32_t frame_count;
    uint32_t is_main;
    char name[16];
} astrolabe_thread;
const astrolabe_thread *astrolabe_run_thread(const astrolabe_run *run, int index);
const uint64_t *astrolabe_run_thread_frames(const astrolabe_run *run, int index);

/// Stacks of the main thread during a hang.
#define ASTROLABE_SAMPLE_COUNT 32
#define ASTROLABE_SAMPLE_FRAMES 64
typedef struct {
    /// Nanoseconds since the hang began.
    uint64_t time;
    uint32_t frame_count;
    uint32_t reserved;
} astrolabe_sample;
astrolabe_sample *astrolabe_run_sample(astrolabe_run *run, int index);
uint64_t *astrolabe_run_sample_frames(astrolabe_run *run, int index);

/// The current span of a thread, all 0 if there is none.
typedef struct {
    uint64_t trace_high, trace_low, span;
} astrolabe_span_ids;

#if defined(__APPLE__)
/// The key of each thread's current span; 0 until the handlers are installed.
///
/// A thread-local variable cannot be used here. The system allocates it on a thread's first access, which may happen in
/// a handler that has interrupted an allocation.
extern pthread_key_t astrolabe_span_key;
/// Allocates the calling thread's storage, once, before its first span; NULL before the handlers are installed.
astrolabe_span_ids *astrolabe_make_span_place(void);

/// Returns the calling thread's storage; NULL if it has not been in any span.
static inline astrolabe_span_ids *astrolabe_span_place(void) {
    pthread_key_t key = __atomic_load_n(&astrolabe_span_key, __ATOMIC_RELAXED);
    return key == 0 ? NULL : (astrolabe_span_ids *)pthread_getspecific(key);
}

/// Sets the current span of the calling thread and returns the previous one.
static inline astrolabe_span_ids astrolabe_enter_span(astrolabe_span_ids span) {
    astrolabe_span_ids before = {0, 0, 0};
    astrolabe_span_ids *place = astrolabe_span_place();
    if (place == NULL) place = astrolabe_make_span_place();
    if (place == NULL) return before;
    before = *place;
    *place = span;
    return before;
}
#else
/// The current span of each thread, which a handler can read without calling a function. One store per span scope.
extern _Thread_local astrolabe_span_ids astrolabe_current_span __attribute__((tls_model("initial-exec")));

static inline astrolabe_span_ids *astrolabe_span_place(void) { return &astrolabe_current_span; }

/// Sets the current span of the calling thread and returns the previous one.
static inline astrolabe_span_ids astrolabe_enter_span(astrolabe_span_ids span) {
    astrolabe_span_ids before = astrolabe_current_span;
    astrolabe_current_span = span;
    return before;
}
#endif

/// Restores the previous span if the calling thread is still in this one.
static inline void astrolabe_leave_span(uint64_t span, astrolabe_span_ids before) {
    astrolabe_span_ids *place = astrolabe_span_place();
    if (place != NULL && place->span == span) *place = before;
}

/// The head of the memory of a span that is being recorded. The crash handler reads it, while threads change it.
typedef struct {
    /// The span's fields so far, in OTLP.
    const void *fields;
    uint32_t size;
    /// The number of its instrumentation scope.
    uint16_t scope;
    /// Its place in the table of open spans, or `ASTROLABE_NO_PLACE`.
    uint16_t place;
} astrolabe_open_span;

/// The table of open spans. If many are open, some have no place in it.
#define ASTROLABE_OPEN_SPAN_PLACES 1024
#define ASTROLABE_NO_PLACE UINT16_MAX
extern const astrolabe_open_span *astrolabe_open_spans[ASTROLABE_OPEN_SPAN_PLACES];
/// True if a crash handler is installed that reads the table.
extern bool astrolabe_keeps_open_spans;

/// Enters a span into the table, at one of the places for its id.
static inline void astrolabe_open_span_begin(astrolabe_open_span *span, uint64_t id) {
    span->place = ASTROLABE_NO_PLACE;
    if (!__atomic_load_n(&astrolabe_keeps_open_spans, __ATOMIC_RELAXED)) return;
    for (uint64_t place = id; place < id + 4; place++) {
        const astrolabe_open_span **entry = &astrolabe_open_spans[place % ASTROLABE_OPEN_SPAN_PLACES];
        const astrolabe_open_span *expected = NULL;
        if (__atomic_compare_exchange_n(entry, &expected, span, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
            span->place = (uint16_t)(place % ASTROLABE_OPEN_SPAN_PLACES);
            return;
        }
    }
}

/// Removes a span from the table, before its memory is freed. Does nothing if it is not in it.
static inline void astrolabe_open_span_end(astrolabe_open_span *span) {
    if (span->place == ASTROLABE_NO_PLACE) return;
    __atomic_store_n(&astrolabe_open_spans[span->place], (const astrolabe_open_span *)NULL, __ATOMIC_RELEASE);
    span->place = ASTROLABE_NO_PLACE;
}

/// Empties the table. A span that was in it and ends later may remove another one that has taken its place.
static inline void astrolabe_open_spans_forget(void) {
    for (int place = 0; place < ASTROLABE_OPEN_SPAN_PLACES; place++) {
        __atomic_store_n(&astrolabe_open_spans[place], (const astrolabe_open_span *)NULL, __ATOMIC_RELEASE);
    }
}

/// The spans that were open at a crash, one after the other, each as `scope` (2 bytes), 2 bytes of zeros, `size`
/// (4 bytes) and its fields.
#define ASTROLABE_SPAN_MEMORY 65536
const uint8_t *astrolabe_run_open_spans(const astrolabe_run *run, size_t *count);

/// The state of the main thread's run loop. A pass lasts from when it wakes, or begins another round, until the next
/// round or until it waits for work. All times are nanoseconds since boot.
typedef struct {
    /// When the pass under way began; 0 while the loop waits for work, and before its first pass.
    uint64_t pass;
    /// The number of passes that have begun.
    uint64_t passes;
    /// When the last pass that was at least as long as the threshold began and ended; 0 if there was none.
    uint64_t long_pass, long_pass_end;
    /// When the last pass began that was awaited; 0 if there was none.
    uint64_t awaited_pass;
} astrolabe_main_loop;
/// Observes the main run loop from now on. Returns false if the program has none.
///
/// `wake` is called on the main thread when a pass begins that was awaited.
bool astrolabe_main_loop_observe(uint64_t threshold, void (*wake)(void));
astrolabe_main_loop astrolabe_main_loop_read(void);
/// Has the begin of the next pass call `wake`, once.
void astrolabe_main_loop_await_pass(bool awaits);
void astrolabe_main_loop_stop(void);

/// Installs handlers for crash signals, in front of those already installed, which are called afterwards.
///
/// Also for signals that end a process without a crash, such as SIGTERM, if the process has no handler for them and does
/// not ignore them. They end it as before.
///
/// `file` is the descriptor of the run's file, through which the handler reads possibly unmapped memory. Returns 0 or
/// `errno`.
int astrolabe_crash_install(astrolabe_run *run, int file);
/// Restores the previous handlers. A handler that was installed since stays, and may go on to call those of the run,
/// which then only pass the signal on.
void astrolabe_crash_uninstall(void);
/// Gives the calling thread a signal stack, so that a stack overflow can be handled. Returns 0 or `errno`.
int astrolabe_crash_protect_thread(void);
/// Installs the handler that samples its thread's stack, without the crash handlers. Returns 0 or `errno`.
int astrolabe_sampler_install(astrolabe_run *run, int file);
/// Marks the run as ended normally when the process calls `exit` or returns from its main function.
void astrolabe_run_end_at_exit(astrolabe_run *run);
/// Returns the id of this process.
uint32_t astrolabe_process_id(void);
/// Names the calling thread for debuggers and profilers, by at most 15 bytes.
void astrolabe_name_thread(const char *name);
/// Returns the calling thread's id, for `astrolabe_sample_thread`.
uint32_t astrolabe_thread_id(void);
/// Returns the main thread's id; 0 if the handlers were installed by another thread and the system does not tell.
uint32_t astrolabe_main_thread_id(void);
/// Samples the stack of another thread, which a signal interrupts briefly. Not for concurrent calls.
///
/// Returns the number of frames; 0 if the thread did not respond within `milliseconds`, or if no handler is installed.
uint32_t astrolabe_sample_thread(uint32_t thread, uint64_t *frames, uint32_t limit, astrolabe_span_ids *span,
    uint32_t milliseconds);

#if defined(__cplusplus)
}
#endif

#endif
