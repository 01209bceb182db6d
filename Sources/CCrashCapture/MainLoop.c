#include "CCrashCapture.h"
#include <limits.h>
#include <stddef.h>
#include <time.h>

// Observes the main thread's run loop through Core Foundation. On Linux it is part of Foundation, which exports these
// functions without a header. They are weak: a program without them has no run loop to observe.
#if defined(__APPLE__)
#include <CoreFoundation/CoreFoundation.h>
#else
typedef const void *CFRunLoopRef;
typedef const void *CFRunLoopObserverRef;
typedef const void *CFStringRef;
typedef unsigned long CFOptionFlags;
typedef long CFIndex;
typedef void (*CFRunLoopObserverCallBack)(CFRunLoopObserverRef, CFOptionFlags, void *);
enum {
    kCFRunLoopEntry = 1, kCFRunLoopBeforeTimers = 2, kCFRunLoopBeforeWaiting = 32, kCFRunLoopAfterWaiting = 64,
    kCFRunLoopExit = 128,
};
#define WEAK __attribute__((weak))
extern const CFStringRef kCFRunLoopCommonModes WEAK;
CFRunLoopRef CFRunLoopGetMain(void) WEAK;
CFRunLoopObserverRef CFRunLoopObserverCreate(
    const void *allocator, CFOptionFlags activities, unsigned char repeats, CFIndex order,
    CFRunLoopObserverCallBack callback, const void *context) WEAK;
void CFRunLoopAddObserver(CFRunLoopRef loop, CFRunLoopObserverRef observer, CFStringRef mode) WEAK;
void CFRunLoopObserverInvalidate(CFRunLoopObserverRef observer) WEAK;
void CFRelease(const void *object) WEAK;
#endif

static astrolabe_main_loop loop;
static uint64_t long_pass_threshold;
static void (*wake_reader)(void);
static int is_awaited;
// Used on the main thread only.
static int depth;
static CFRunLoopObserverRef observers[2];

static uint64_t now(void) {
    struct timespec time = {0, 0};
#if defined(__APPLE__)
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
#else
    clock_gettime(CLOCK_BOOTTIME, &time);
#endif
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void end_pass(uint64_t time) {
    uint64_t began = __atomic_load_n(&loop.pass, __ATOMIC_RELAXED);
    if (began == 0 || time - began < long_pass_threshold) return;
    // The end is written last: a reader that sees it sees the begin that belongs to it.
    __atomic_store_n(&loop.long_pass_end, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&loop.long_pass, began, __ATOMIC_RELEASE);
    __atomic_store_n(&loop.long_pass_end, time, __ATOMIC_RELEASE);
}

static void begin_pass(uint64_t time) {
    __atomic_store_n(&loop.pass, time, __ATOMIC_RELEASE);
    __atomic_store_n(&loop.passes, loop.passes + 1, __ATOMIC_RELEASE);
    if (__atomic_exchange_n(&is_awaited, 0, __ATOMIC_ACQ_REL) == 0) return;
    __atomic_store_n(&loop.awaited_pass, time, __ATOMIC_RELEASE);
    wake_reader();
}

static void loop_works(CFRunLoopObserverRef observer, CFOptionFlags activity, void *context) {
    (void)observer; (void)context;
    uint64_t time = now();
    if (activity == kCFRunLoopEntry) depth++;
    end_pass(time);
    begin_pass(time);
}

static void loop_waits(CFRunLoopObserverRef observer, CFOptionFlags activity, void *context) {
    (void)observer; (void)context;
    uint64_t time = now();
    end_pass(time);
    if (activity == kCFRunLoopExit && depth > 0) depth--;
    // After a nested loop, the pass of the outer one goes on.
    if (activity == kCFRunLoopExit && depth > 0) {
        begin_pass(time);
    } else {
        __atomic_store_n(&loop.pass, 0, __ATOMIC_RELEASE);
    }
}

bool astrolabe_main_loop_observe(uint64_t threshold, void (*wake)(void)) {
#if !defined(__APPLE__)
    if (!CFRunLoopGetMain || !CFRunLoopObserverCreate || !CFRunLoopAddObserver || !CFRunLoopObserverInvalidate
        || !CFRelease || !&kCFRunLoopCommonModes) return false;
#endif
    if (observers[0] != NULL) return true;
    long_pass_threshold = threshold;
    wake_reader = wake;
    // The work of other observers belongs to a pass: ours come first at its begin and last at its end.
    observers[0] = CFRunLoopObserverCreate(
        NULL, kCFRunLoopEntry | kCFRunLoopBeforeTimers | kCFRunLoopAfterWaiting, true, LONG_MIN, loop_works, NULL);
    observers[1] = CFRunLoopObserverCreate(
        NULL, kCFRunLoopBeforeWaiting | kCFRunLoopExit, true, LONG_MAX, loop_waits, NULL);
    for (int index = 0; index < 2; index++) {
        CFRunLoopAddObserver(CFRunLoopGetMain(), observers[index], kCFRunLoopCommonModes);
    }
    return true;
}

void astrolabe_main_loop_stop(void) {
    for (int index = 0; index < 2; index++) {
        if (observers[index] == NULL) continue;
        CFRunLoopObserverInvalidate(observers[index]);
        CFRelease(observers[index]);
        observers[index] = NULL;
    }
    __atomic_store_n(&loop.pass, 0, __ATOMIC_RELEASE);
}

astrolabe_main_loop astrolabe_main_loop_read(void) {
    astrolabe_main_loop copy;
    copy.long_pass_end = __atomic_load_n(&loop.long_pass_end, __ATOMIC_ACQUIRE);
    copy.long_pass = __atomic_load_n(&loop.long_pass, __ATOMIC_ACQUIRE);
    copy.pass = __atomic_load_n(&loop.pass, __ATOMIC_ACQUIRE);
    copy.awaited_pass = __atomic_load_n(&loop.awaited_pass, __ATOMIC_ACQUIRE);
    copy.passes = __atomic_load_n(&loop.passes, __ATOMIC_ACQUIRE);
    return copy;
}

void astrolabe_main_loop_await_pass(bool awaits) { __atomic_store_n(&is_awaited, awaits, __ATOMIC_RELEASE); }
