#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CrashLayout.h"
#if defined(__APPLE__) && defined(__aarch64__)
#include "StackWalk.h"
#endif
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#elif defined(__APPLE__)
#include <mach-o/dyld.h>
#include <mach-o/getsect.h>
#endif

// Bytes of a handler's stack, enough for a stack walk and a previous handler.
#define HANDLER_STACK_SIZE (128 * 1024)

// The Swift runtime's buffer for the message of a fatal error, if it has one. Apple platforms use another mechanism.
extern const char *const *swift_getFatalErrorMessageBuffer(void) __attribute__((weak));

uint32_t astrolabe_thread_id(void) {
#if defined(__linux__)
    return (uint32_t)syscall(SYS_gettid);
#else
    return (uint32_t)pthread_mach_thread_np(pthread_self());
#endif
}

void astrolabe_name_thread(const char *name) {
#if defined(__APPLE__)
    pthread_setname_np(name);
#else
    pthread_setname_np(pthread_self(), name);
#endif
}

uint32_t astrolabe_main_thread_id(void) { return astrolabe_handler.main_thread; }

uint32_t astrolabe_process_id(void) { return (uint32_t)getpid(); }

static astrolabe_run *ending_run;

static void mark_end(void) {
    if (ending_run == NULL) return;
    astrolabe_run_set(ending_run, ASTROLABE_WORD_HAS_EXITED, 1);
    astrolabe_run_set(ending_run, ASTROLABE_WORD_IS_CLEAN, 1);
}

void astrolabe_run_end_at_exit(astrolabe_run *run) {
    if (ending_run == NULL) atexit(mark_end);
    ending_run = run;
}

#if defined(__APPLE__)
// The main thread's storage, for samples of it; NULL if it has not been in any span.
static astrolabe_span_ids *main_span_place;

// Once per process. 0, a key reserved by the system, stands for none.
static void make_span_key(void) {
    pthread_key_t key = 0;
    if (astrolabe_span_key != 0 || pthread_key_create(&key, free) != 0) return;
    __atomic_store_n(&astrolabe_span_key, key, __ATOMIC_RELAXED);
}

astrolabe_span_ids *astrolabe_make_span_place(void) {
    pthread_key_t key = __atomic_load_n(&astrolabe_span_key, __ATOMIC_RELAXED);
    if (key == 0) return NULL;
    astrolabe_span_ids *place = calloc(1, sizeof *place);
    if (place == NULL || pthread_setspecific(key, place) == 0) {
        if (pthread_main_np() != 0) __atomic_store_n(&main_span_place, place, __ATOMIC_RELEASE);
        return place;
    }
    free(place);
    return NULL;
}

// The span that the main thread is in. It may enter another one while this reads, unless it is suspended.
static astrolabe_span_ids main_span(void) {
    const astrolabe_span_ids *place = __atomic_load_n(&main_span_place, __ATOMIC_ACQUIRE);
    astrolabe_span_ids none = {0, 0, 0};
    return place == NULL ? none : *(const volatile astrolabe_span_ids *)place;
}
#endif

#if defined(__APPLE__)
// Finds the messages that libraries leave in the section `__crash_info`: a version, and then a pointer to a text
// (CrashReporterClient.h of Apple's open sources).
static void find_library_messages(void) {
    static const char *const names[] = {"/libswiftCore.dylib", "/libsystem_c.dylib", "/libobjc.A.dylib", "/libc++abi.dylib"};
    for (uint32_t index = 0; index < _dyld_image_count(); index++) {
        const char *path = _dyld_get_image_name(index);
        const char *name = path == NULL ? NULL : strrchr(path, '/');
        for (int place = 0; name != NULL && place < 4; place++) {
            if (strcmp(name, names[place]) != 0) continue;
            unsigned long size = 0;
            const struct mach_header_64 *header = (const struct mach_header_64 *)_dyld_get_image_header(index);
            const uint8_t *section = getsectiondata(header, "__DATA", "__crash_info", &size);
            if (section == NULL) section = getsectiondata(header, "__DATA_DIRTY", "__crash_info", &size);
            if (section == NULL || size < 16) continue;
            astrolabe_handler.library_messages[place] = (const char *const *)(section + 8);
        }
    }
}
#endif

static void prepare(astrolabe_run *run, int file) {
    astrolabe_handler.run = run;
    astrolabe_handler.file = file;
    astrolabe_handler.process = (uint32_t)getpid();
#if defined(__linux__)
    astrolabe_handler.main_thread = (uint32_t)getpid();
    if (swift_getFatalErrorMessageBuffer) astrolabe_handler.swift_message = swift_getFatalErrorMessageBuffer();
    astrolabe_handler.abort_message = (const char *const *)dlsym(RTLD_DEFAULT, "__abort_msg");
#else
    if (pthread_main_np()) astrolabe_handler.main_thread = astrolabe_thread_id();
#endif
#if defined(__APPLE__)
    make_span_key();
    find_library_messages();
#endif
}

#if ASTROLABE_IS_RESTRICTED
int astrolabe_crash_protect_thread(void) { return ENOTSUP; }
#else
int astrolabe_crash_protect_thread(void) {
    stack_t old;
    if (sigaltstack(NULL, &old) == 0 && !(old.ss_flags & SS_DISABLE) && old.ss_size >= HANDLER_STACK_SIZE) return 0;
    // With a guard page below it, so that an overflow does not overwrite other memory.
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *memory = mmap(NULL, HANDLER_STACK_SIZE + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (memory == MAP_FAILED) return errno;
    mprotect(memory, page, PROT_NONE);
    stack_t stack = {.ss_sp = memory + page, .ss_size = HANDLER_STACK_SIZE, .ss_flags = 0};
    if (sigaltstack(&stack, NULL) == 0) return 0;
    int error = errno;
    munmap(memory, HANDLER_STACK_SIZE + page);
    return error;
}
#endif

int astrolabe_sampler_install(astrolabe_run *run, int file) {
    prepare(run, file);
#if defined(__linux__)
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = astrolabe_handle_sampling;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigfillset(&action.sa_mask);
    struct sigaction previous;
    if (sigaction(ASTROLABE_SAMPLING_SIGNAL, &action, &previous) != 0) return errno;
    if (previous.sa_sigaction != astrolabe_handle_sampling) astrolabe_handler.previous_sampling = previous;
#endif
    return 0;
}

int astrolabe_crash_install(astrolabe_run *run, int file) {
    static const int signals[] = ASTROLABE_SIGNALS;
    int error = astrolabe_sampler_install(run, file);
    if (error == 0) error = astrolabe_crash_protect_thread();
    if (error != 0) return error;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = astrolabe_handle_crash;
    // A crash in the handler must invoke it again.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < ASTROLABE_SIGNAL_COUNT; index++) {
        struct sigaction previous;
        if (sigaction(signals[index], NULL, &previous) != 0) return errno;
        if (previous.sa_sigaction != astrolabe_handle_crash) astrolabe_handler.previous[index] = previous;
        if (sigaction(signals[index], &action, NULL) != 0) return errno;
    }
    static const int endings[] = ASTROLABE_ENDING_SIGNALS;
    action.sa_sigaction = astrolabe_handle_ending;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (int index = 0; index < ASTROLABE_ENDING_SIGNAL_COUNT; index++) {
        struct sigaction previous;
        if (sigaction(endings[index], NULL, &previous) != 0) return errno;
        // An app that handles or ignores it does not end by it.
        if ((previous.sa_flags & SA_SIGINFO) || previous.sa_handler != SIG_DFL) continue;
        if (sigaction(endings[index], &action, NULL) != 0) return errno;
    }
    astrolabe_terminate_install();
    __atomic_store_n(&astrolabe_keeps_open_spans, true, __ATOMIC_RELAXED);
    return 0;
}

void astrolabe_crash_uninstall(void) {
    __atomic_store_n(&astrolabe_handler.file, -1, __ATOMIC_RELEASE);
    __atomic_store_n(&astrolabe_keeps_open_spans, false, __ATOMIC_RELAXED);
    static const int signals[] = ASTROLABE_SIGNALS;
    for (int index = 0; index < ASTROLABE_SIGNAL_COUNT; index++) {
        struct sigaction current;
        if (sigaction(signals[index], NULL, &current) != 0) continue;
        if (current.sa_sigaction == astrolabe_handle_crash) sigaction(signals[index], &astrolabe_handler.previous[index], NULL);
    }
    static const int endings[] = ASTROLABE_ENDING_SIGNALS;
    struct sigaction standard;
    memset(&standard, 0, sizeof standard);
    standard.sa_handler = SIG_DFL;
    for (int index = 0; index < ASTROLABE_ENDING_SIGNAL_COUNT; index++) {
        struct sigaction current;
        if (sigaction(endings[index], NULL, &current) != 0) continue;
        if (current.sa_sigaction == astrolabe_handle_ending) sigaction(endings[index], &standard, NULL);
    }
}

uint32_t astrolabe_sample_thread(
    uint32_t thread, uint64_t *frames, uint32_t limit, astrolabe_span_ids *span, uint32_t milliseconds) {
    if (astrolabe_handler.run == NULL) return 0;
#if defined(__linux__)
    stored_thread *sampled = &astrolabe_handler.run->sampled;
    // A response that arrived too late for the previous sample may still be in progress.
    if (__atomic_load_n(&sampled->head.state, __ATOMIC_ACQUIRE) == THREAD_RESPONDS) return 0;
    sampled->head.id = thread;
    sampled->head.frame_count = 0;
    __atomic_store_n(&sampled->head.state, THREAD_IS_REQUESTED, __ATOMIC_RELEASE);
    if (syscall(SYS_tgkill, getpid(), thread, ASTROLABE_SAMPLING_SIGNAL) != 0) return 0;
    for (uint32_t waited = 0; waited < milliseconds * 10; waited++) {
        if (__atomic_load_n(&sampled->head.state, __ATOMIC_ACQUIRE) == THREAD_HAS_RESPONDED) {
            uint32_t count = sampled->head.frame_count < limit ? sampled->head.frame_count : limit;
            memcpy(frames, sampled->frames, count * sizeof *frames);
            *span = sampled->span;
            return count;
        }
        usleep(100);
    }
    uint32_t expected = THREAD_IS_REQUESTED;
    __atomic_compare_exchange_n(
        &sampled->head.state, &expected, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
#elif defined(__APPLE__) && defined(__aarch64__)
    (void)milliseconds;
    stored_thread *sampled = &astrolabe_handler.run->sampled;
    sampled->head.frame_count = 0;
    // The same before and after: the thread was in this span when it was suspended.
    astrolabe_span_ids before = thread == astrolabe_handler.main_thread ? main_span() : (astrolabe_span_ids){0, 0, 0};
    if (!walk_suspended(thread, sampled)) return 0;
    astrolabe_span_ids after = main_span();
    uint32_t found = sampled->head.frame_count < limit ? sampled->head.frame_count : limit;
    memcpy(frames, sampled->frames, found * sizeof *frames);
    *span = memcmp(&before, &after, sizeof before) == 0 ? before : (astrolabe_span_ids){0, 0, 0};
    return found;
#else
    (void)thread; (void)frames; (void)limit; (void)span; (void)milliseconds;
#endif
    return 0;
}
