#ifndef ASTROLABE_SYSTEMCALLS_H
#define ASTROLABE_SYSTEMCALLS_H

// The system calls of a signal handler. On Linux they bypass the C library, so that the handlers' object code calls no
// function, which a test verifies. On Apple platforms, where only the library may make system calls, they are functions
// documented as async-signal-safe.

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>

// System calls that bypass the library do not change `errno`.
static inline int sys_error(void) { return 0; }
static inline void sys_set_error(int error) { (void)error; }

static inline long astrolabe_call(long number, long a, long b, long c, long d) {
#if defined(__x86_64__)
    long result;
    register long r10 __asm__("r10") = d;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
    return x0;
#else
#error "expected x86-64 or arm64: add the system calls of this processor"
#endif
}

static inline uint32_t sys_process_id(void) { return (uint32_t)astrolabe_call(SYS_getpid, 0, 0, 0, 0); }
static inline uint32_t sys_thread_id(void) { return (uint32_t)astrolabe_call(SYS_gettid, 0, 0, 0, 0); }

static inline long sys_write_at(int file, const void *bytes, size_t count, off_t offset) {
    return astrolabe_call(SYS_pwrite64, file, (long)bytes, (long)count, (long)offset);
}

static inline int sys_open(const char *path) {
    return (int)astrolabe_call(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0);
}

static inline long sys_read(int file, void *bytes, size_t count) {
    return astrolabe_call(SYS_read, file, (long)bytes, (long)count, 0);
}

static inline void sys_close(int file) { astrolabe_call(SYS_close, file, 0, 0, 0); }

static inline long sys_list(int directory, void *bytes, size_t count) {
    return astrolabe_call(SYS_getdents64, directory, (long)bytes, (long)count, 0);
}

static inline long sys_signal_thread(uint32_t process, uint32_t thread, int signal) {
    return astrolabe_call(SYS_tgkill, process, thread, signal, 0);
}

// Sends the same signal again with all its information.
static inline void sys_signal_again(uint32_t process, uint32_t thread, int signal, siginfo_t *info) {
    if (astrolabe_call(SYS_rt_tgsigqueueinfo, process, thread, signal, (long)info) != 0) {
        sys_signal_thread(process, thread, signal);
    }
}

static inline void sys_sleep_millisecond(void) {
    struct timespec time = {0, 1000000};
    astrolabe_call(SYS_nanosleep, (long)&time, 0, 0, 0);
}

static inline uint64_t sys_time(clockid_t clock) {
    struct timespec time = {0, 0};
    astrolabe_call(SYS_clock_gettime, clock, (long)&time, 0, 0);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// The kernel's form of an action, whose field order differs from the C library's.
typedef struct {
    void *handler;
    unsigned long flags;
    void *restorer;
    uint64_t mask;
} kernel_action;

static inline void sys_set_action(int signal, const struct sigaction *action) {
    kernel_action kernel = {0};
    kernel.handler = (void *)action->sa_handler;
    kernel.flags = (unsigned long)action->sa_flags;
#if defined(__x86_64__)
    // On x86-64, returning from a handler requires SA_RESTORER (0x04000000), which the library sets with a private
    // function. The library does not expose it, so a previous handler gets ours.
    extern void astrolabe_return_from_signal(void);
    kernel.flags |= 0x04000000;
    kernel.restorer = (void *)astrolabe_return_from_signal;
#endif
    __builtin_memcpy(&kernel.mask, &action->sa_mask, sizeof kernel.mask);
    astrolabe_call(SYS_rt_sigaction, signal, (long)&kernel, 0, 8);
}

#else

#include <errno.h>
#include <pthread.h>

static inline int sys_error(void) { return errno; }
static inline void sys_set_error(int error) { errno = error; }

static inline uint32_t sys_process_id(void) { return (uint32_t)getpid(); }
static inline uint32_t sys_thread_id(void) { return (uint32_t)pthread_mach_thread_np(pthread_self()); }
static inline long sys_write_at(int file, const void *bytes, size_t count, off_t offset) {
    return pwrite(file, bytes, count, offset);
}
static inline void sys_signal_again(uint32_t process, uint32_t thread, int signal, siginfo_t *info) {
    (void)process; (void)thread; (void)info;
    raise(signal);
}
static inline void sys_sleep_millisecond(void) { usleep(1000); }
static inline uint64_t sys_time(clockid_t clock) { return clock_gettime_nsec_np(clock); }
static inline void sys_set_action(int signal, const struct sigaction *action) { sigaction(signal, action, NULL); }
#endif

#endif
