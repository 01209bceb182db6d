#include "CCrashes.h"
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define NEVER_INLINE __attribute__((noinline, optnone))

// A line with `crashes here: NAME` is the one that a crash of that name must be said to have happened in.

NEVER_INLINE void crash_null_dereference(void) {
    *(volatile int *)16 = 1;  // crashes here: null-dereference
}

static inline __attribute__((always_inline)) void turn(volatile int *screw) {
    *screw = 1;  // crashes here: inlined-in-c
}

NEVER_INLINE void crash_inlined(void) {
    turn((volatile int *)24);  // inlined here: inlined-in-c
}

NEVER_INLINE void crash_null_call(void) {
    void (*volatile function)(void) = NULL;
    function();  // crashes here: null-call
}

NEVER_INLINE void crash_beyond_file(void) {
    char path[] = "/tmp/astrolabe-crash-XXXXXX";
    int file = mkstemp(path);
    unlink(path);
    volatile char *memory = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    (void)memory[0];  // crashes here: beyond-file
}

NEVER_INLINE void crash_bad_instruction(void) {
#if defined(__x86_64__)
#define BAD_INSTRUCTION "ud2"
#else
#define BAD_INSTRUCTION ".inst 0"
#endif
    __asm__ volatile(BAD_INSTRUCTION);  // crashes here: bad-instruction
}

NEVER_INLINE void crash_breakpoint(void) {
#if defined(__x86_64__)
#define BREAKPOINT "int3"
#else
#define BREAKPOINT "brk #0"
#endif
    __asm__ volatile(BREAKPOINT);  // crashes here: breakpoint
}

// Not every processor traps a division by zero.
NEVER_INLINE void crash_division(void) {
#if defined(__x86_64__)
    volatile int zero = 0;
#define DIVIDE() (1 / zero)
#else
#define DIVIDE() raise(SIGFPE)
#endif
    volatile int result = DIVIDE();  // crashes here: division
    (void)result;
}

NEVER_INLINE void crash_forbidden_call(void) {
    raise(SIGSYS);  // crashes here: forbidden-call
}

NEVER_INLINE void crash_abort(void) {
    abort();  // crashes here: abort
}

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

static struct sigaction passed_to;

static void pass_on(int signal, siginfo_t *info, void *context) {
    static int calls;
    if (++calls > 2) _exit(43);
    passed_to.sa_sigaction(signal, info, context);
}

void install_handler_that_passes_on(void) {
    struct sigaction action = {0};
    action.sa_sigaction = pass_on;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &action, &passed_to);
}
