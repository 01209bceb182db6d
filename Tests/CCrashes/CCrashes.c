#include "CCrashes.h"
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define NEVER_INLINE __attribute__((noinline, optnone))

NEVER_INLINE void crash_null_dereference(void) { *(volatile int *)16 = 1; }

NEVER_INLINE void crash_null_call(void) {
    void (*volatile function)(void) = NULL;
    function();
}

NEVER_INLINE void crash_beyond_file(void) {
    char path[] = "/tmp/astrolabe-crash-XXXXXX";
    int file = mkstemp(path);
    unlink(path);
    volatile char *memory = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    (void)memory[0];
}

NEVER_INLINE void crash_bad_instruction(void) {
#if defined(__x86_64__)
    __asm__ volatile("ud2");
#else
    __asm__ volatile(".inst 0");
#endif
}

NEVER_INLINE void crash_breakpoint(void) {
#if defined(__x86_64__)
    __asm__ volatile("int3");
#else
    __asm__ volatile("brk #0");
#endif
}

// Not every processor traps a division by zero.
NEVER_INLINE void crash_division(void) {
#if defined(__x86_64__)
    volatile int zero = 0;
    volatile int result = 1 / zero;
    (void)result;
#else
    raise(SIGFPE);
#endif
}

NEVER_INLINE void crash_forbidden_call(void) { raise(SIGSYS); }

NEVER_INLINE void crash_abort(void) { abort(); }

// The state of the handlers in CCrashCapture; its fourth word is where they look for the Swift runtime's message.
extern uintptr_t astrolabe_handler[];

NEVER_INLINE void crash_in_handler(void) {
    astrolabe_handler[3] = 16;
    crash_null_dereference();
}

static int exit_status;

static void exit_at_once(int signal) {
    (void)signal;
    _exit(exit_status);
}

void install_handler_that_exits(int status) {
    exit_status = status;
    signal(SIGSEGV, exit_at_once);
}
