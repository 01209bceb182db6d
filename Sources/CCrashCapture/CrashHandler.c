#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CrashLayout.h"
#include "StackWalk.h"

// The signal handlers. They run in a process in an unknown state. They call only the functions of SystemCalls.h, take
// no lock, allocate nothing, and read possibly unmapped memory only through system calls.

astrolabe_handler_state astrolabe_handler;
const astrolabe_open_span *astrolabe_open_spans[ASTROLABE_OPEN_SPAN_PLACES];
bool astrolabe_keeps_open_spans;
#if defined(__APPLE__)
pthread_key_t astrolabe_span_key;
#else
_Thread_local astrolabe_span_ids astrolabe_current_span;
#endif

#if defined(__linux__) && defined(__x86_64__)
__asm__(".text\n.globl astrolabe_return_from_signal\n.hidden astrolabe_return_from_signal\n"
        ".type astrolabe_return_from_signal,@function\nastrolabe_return_from_signal:\n mov $15, %eax\n syscall\n");
#endif

// Whether a process sent the signal, rather than the CPU. XNU reports no such cause, but the sender.
static bool is_sent(const siginfo_t *info) {
#if defined(__APPLE__)
    return info->si_pid != 0;
#else
    return info->si_code <= 0;
#endif
}

static uint32_t save_registers(const ucontext_t *context, uint64_t *registers) {
    uint32_t count = 0;
#if defined(__linux__) && defined(__x86_64__)
    for (; count < 23; count++) registers[count] = (uint64_t)context->uc_mcontext.gregs[count];
#elif defined(__linux__) && defined(__aarch64__)
    for (; count < 31; count++) registers[count] = context->uc_mcontext.regs[count];
    registers[count++] = context->uc_mcontext.sp;
    registers[count++] = context->uc_mcontext.pc;
    registers[count++] = context->uc_mcontext.pstate;
#elif defined(__APPLE__) && defined(__aarch64__)
    for (; count < 29; count++) registers[count] = context->uc_mcontext->__ss.__x[count];
    machine_state state = state_of(context);
    registers[count++] = state.fp;
    registers[count++] = state.link;
    registers[count++] = state.sp;
    registers[count++] = state.pc;
    registers[count++] = context->uc_mcontext->__ss.__cpsr;
#else
    (void)context;
    (void)registers;
#endif
    return count;
}

#if defined(__linux__)
static char *append_number(char *text, uint32_t number) {
    char digits[12];
    int count = 0;
    do digits[count++] = (char)('0' + number % 10); while ((number /= 10) != 0);
    while (count > 0) *text++ = digits[--count];
    return text;
}

static char *append_text(char *text, const char *other) {
    while (*other != 0) *text++ = *other++;
    return text;
}

static void name_thread(astrolabe_thread *thread) {
    char path[64];
    char *end = append_number(append_text(path, "/proc/self/task/"), thread->id);
    *append_text(end, "/comm") = 0;
    int file = sys_open(path);
    if (file < 0) return;
    char name[16] = {0};
    long count = sys_read(file, name, 15);
    sys_close(file);
    for (long index = 0; index < count && name[index] != '\n'; index++) thread->name[index] = name[index];
}

static bool is_known(const astrolabe_run *run, uint32_t count, uint32_t thread) {
    for (uint32_t index = 0; index < count; index++) {
        if (run->threads[index].head.id == thread) return true;
    }
    return false;
}

// Requests the stacks of all other threads, and waits at most a second.
static void request_other_stacks(astrolabe_run *run) {
    enum { timeout = 1000 };
    int directory = sys_open("/proc/self/task");
    if (directory < 0) return;
    uint64_t entries[256];
    long size;
    while ((size = sys_list(directory, entries, sizeof entries)) > 0) {
        for (long offset = 0; offset < size;) {
            const uint8_t *entry = (const uint8_t *)entries + offset;
            const char *name = (const char *)entry + 19;
            uint32_t id = 0;
            while (*name >= '0' && *name <= '9') id = id * 10 + (uint32_t)(*name++ - '0');
            offset += (long)(entry[16] | entry[17] << 8);
            uint32_t count = run->crash.thread_count;
            if (id == 0 || count >= ASTROLABE_THREAD_COUNT || is_known(run, count, id)) continue;
            stored_thread *thread = &run->threads[count];
            thread->head.id = id;
            thread->head.is_main = id == astrolabe_handler.main_thread;
            name_thread(&thread->head);
            __atomic_store_n(&thread->head.state, THREAD_IS_REQUESTED, __ATOMIC_RELEASE);
            __atomic_store_n(&run->crash.thread_count, count + 1, __ATOMIC_RELEASE);
            sys_signal_thread(astrolabe_handler.process, id, ASTROLABE_SAMPLING_SIGNAL);
        }
    }
    sys_close(directory);
    for (int waited = 0; waited < timeout; waited++) {
        bool is_all = true;
        for (uint32_t index = 1; index < run->crash.thread_count; index++) {
            uint32_t state = __atomic_load_n(&run->threads[index].head.state, __ATOMIC_ACQUIRE);
            if (state != THREAD_HAS_RESPONDED) is_all = false;
        }
        if (is_all) return;
        sys_sleep_millisecond();
    }
}
#endif

#if defined(__APPLE__) && defined(__aarch64__)
// Saves the stacks of all other threads. Each is suspended while its stack is read.
static void save_other_stacks(astrolabe_run *run) {
    thread_act_array_t threads;
    mach_msg_type_number_t thread_count;
    if (task_threads(mach_task_self(), &threads, &thread_count) != KERN_SUCCESS) return;
    for (mach_msg_type_number_t index = 0; index < thread_count; index++) {
        uint32_t count = run->crash.thread_count;
        if (count >= ASTROLABE_THREAD_COUNT) return;
        if (threads[index] == run->threads[0].head.id) continue;
        stored_thread *thread = &run->threads[count];
        thread->head.id = threads[index];
        thread->head.is_main = threads[index] == astrolabe_handler.main_thread;
        thread_extended_info_data_t info;
        mach_msg_type_number_t size = THREAD_EXTENDED_INFO_COUNT;
        if (thread_info(threads[index], THREAD_EXTENDED_INFO, (thread_info_t)&info, &size) == KERN_SUCCESS) {
            __builtin_memcpy(thread->head.name, info.pth_name, sizeof thread->head.name - 1);
        }
        if (!walk_suspended(threads[index], thread)) continue;
        __atomic_store_n(&run->crash.thread_count, count + 1, __ATOMIC_RELEASE);
    }
}
#endif

static astrolabe_span_ids span_of_thread(void) {
    const astrolabe_span_ids none = {0, 0, 0};
    const astrolabe_span_ids *place = astrolabe_span_place();
    return place == NULL ? none : *place;
}

static void respond(stored_thread *thread, const ucontext_t *context, uint32_t limit) {
    uint32_t expected = THREAD_IS_REQUESTED;
    if (!__atomic_compare_exchange_n(
            &thread->head.state, &expected, THREAD_RESPONDS, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return;
    machine_state state = state_of(context);
    walk(&state, thread, limit);
    __atomic_store_n(&thread->head.state, THREAD_HAS_RESPONDED, __ATOMIC_RELEASE);
}

void astrolabe_handle_sampling(int signal, siginfo_t *info, void *context) {
    astrolabe_run *run = astrolabe_handler.run;
    int error = sys_error();
    uint32_t id = sys_thread_id();
    bool is_ours = false;
    uint32_t count = __atomic_load_n(&run->crash.thread_count, __ATOMIC_ACQUIRE);
    for (uint32_t index = 1; index < count && index < ASTROLABE_THREAD_COUNT; index++) {
        if (run->threads[index].head.id != id) continue;
        respond(&run->threads[index], context, ASTROLABE_SAMPLE_FRAMES);
        is_ours = true;
    }
    if (__atomic_load_n(&run->sampled.head.state, __ATOMIC_ACQUIRE) == THREAD_IS_REQUESTED && run->sampled.head.id == id) {
        run->sampled.span = span_of_thread();
        respond(&run->sampled, context, ASTROLABE_SAMPLE_FRAMES);
        is_ours = true;
    }
    const struct sigaction *previous = &astrolabe_handler.previous_sampling;
    if (!is_ours && previous->sa_handler != SIG_DFL && previous->sa_handler != SIG_IGN) {
        if (previous->sa_flags & SA_SIGINFO) {
            previous->sa_sigaction(signal, info, context);
        } else {
            previous->sa_handler(signal);
        }
    }
    sys_set_error(error);
}

static uint32_t copy_message(astrolabe_run *run, const char *const *place, size_t skipped) {
    if (place == NULL || *place == NULL) return 0;
    uint64_t address = (uint64_t)*place + skipped;
    uint32_t count = 0;
    while (count < ASTROLABE_MESSAGE_SIZE - 1) {
        size_t part = 256 - (address & 255);
        if (!copy_to_run(run->scratch, (const void *)address, part)) break;
        for (size_t index = 0; index < part && count < ASTROLABE_MESSAGE_SIZE - 1; index++) {
            if (run->scratch[index] == 0) return count;
            run->message[count++] = (char)run->scratch[index];
        }
        address += part;
    }
    return count;
}

// Copies the fields of the open spans. Other threads may change or free them meanwhile, so the reader must check them.
static void save_open_spans(astrolabe_run *run) {
    uint32_t used = 0;
    for (int index = 0; index < ASTROLABE_OPEN_SPAN_PLACES; index++) {
        const astrolabe_open_span *span = __atomic_load_n(&astrolabe_open_spans[index], __ATOMIC_ACQUIRE);
        if (span == NULL || !copy_to_run(run->scratch, span, sizeof *span)) continue;
        const astrolabe_open_span *head = (const astrolabe_open_span *)run->scratch;
        const void *fields = head->fields;
        uint32_t sizes[2] = {head->scope, head->size};
        uint32_t room = ASTROLABE_SPAN_MEMORY - used;
        if (room < sizeof sizes || sizes[1] > room - sizeof sizes) continue;
        if (!copy_to_run(run->spans + used + sizeof sizes, fields, sizes[1])) continue;
        __builtin_memcpy(run->spans + used, sizes, sizeof sizes);
        used += sizeof sizes + sizes[1];
        __atomic_store_n(&run->span_bytes, used, __ATOMIC_RELEASE);
    }
}

static void reach(astrolabe_run *run, uint32_t stage) {
    __atomic_store_n(&run->crash.stage, stage, __ATOMIC_RELEASE);
}

// Captures the remaining stages of a crash; each stage starts when the previous one is done or has failed.
static void capture(astrolabe_run *run, int signal, const siginfo_t *info, const ucontext_t *context, uint32_t id) {
    astrolabe_crash *crash = &run->crash;
    if (crash->stage < ASTROLABE_STAGE_BEGUN) {
        crash->signal = signal;
#if defined(__APPLE__)
        crash->code = is_sent(info) ? SI_USER : info->si_code;
#else
        crash->code = info->si_code;
#endif
        crash->address = (uint64_t)info->si_addr;
        crash->time = sys_time(CLOCK_REALTIME);
        crash->lifecycle = atomic_load_explicit(&run->words[ASTROLABE_WORD_LIFECYCLE], memory_order_relaxed);
        crash->phase = atomic_load_explicit(&run->words[ASTROLABE_WORD_PHASE], memory_order_relaxed);
        crash->stack_pointer = state_of(context).sp;
        crash->program_counter = state_of(context).pc;
        reach(run, ASTROLABE_STAGE_BEGUN);
        astrolabe_span_ids span = span_of_thread();
        crash->trace_high = span.trace_high;
        crash->trace_low = span.trace_low;
        crash->span = span.span;
        crash->register_count = save_registers(context, run->registers);
        reach(run, ASTROLABE_STAGE_REGISTERS);
        stored_thread *thread = &run->threads[0];
        thread->head.id = id;
        thread->head.is_main = id == astrolabe_handler.main_thread;
        thread->head.state = THREAD_IS_REQUESTED;
        crash->thread_count = 1;
        respond(thread, context, ASTROLABE_FRAME_COUNT);
        reach(run, ASTROLABE_STAGE_STACK);
        crash->message_size = copy_message(run, astrolabe_handler.swift_message, 0);
        if (crash->message_size == 0) crash->message_size = copy_message(run, astrolabe_handler.abort_message, 4);
        for (int index = 0; index < 4 && crash->message_size == 0; index++) {
            crash->message_size = copy_message(run, astrolabe_handler.library_messages[index], 0);
        }
    }
    if (crash->stage < ASTROLABE_STAGE_THREADS) {
        reach(run, ASTROLABE_STAGE_THREADS);
#if defined(__linux__)
        name_thread(&run->threads[0].head);
        request_other_stacks(run);
#elif defined(__APPLE__) && defined(__aarch64__)
        save_other_stacks(run);
#endif
        save_open_spans(run);
    }
    reach(run, ASTROLABE_STAGE_COMPLETE);
}

// Restores the previous handlers and forwards the signal. A previous handler is called with all arguments. If there is
// none, returning repeats the instruction that raised the signal, or the signal is sent again.
//
// A previous handler may call this one back: it was installed after the SDK's, which was later installed again. Then
// there is none for the second time.
static void forward(int signal, siginfo_t *info, void *context, uint32_t id) {
    static const int signals[] = ASTROLABE_SIGNALS;
    static uint32_t forwarding;
    bool is_called_back = __atomic_exchange_n(&forwarding, id, __ATOMIC_ACQ_REL) == id;
    const struct sigaction none = {0};
    struct sigaction previous = none;
    for (int index = 0; index < ASTROLABE_SIGNAL_COUNT; index++) {
        struct sigaction action = is_called_back ? none : astrolabe_handler.previous[index];
        // A signal raised by the CPU ends a process even if it is ignored.
        if (action.sa_handler == SIG_IGN) action.sa_handler = SIG_DFL;
        sys_set_action(signals[index], &action);
        if (signals[index] == signal) previous = action;
    }
    if (previous.sa_handler != SIG_DFL) {
        if (previous.sa_flags & SA_SIGINFO) {
            previous.sa_sigaction(signal, info, context);
        } else {
            previous.sa_handler(signal);
        }
        return;
    }
#if defined(__APPLE__) && defined(__aarch64__)
    // Here traps carry no cause, and the program counter is still on the instruction that raised it.
    if (signal == SIGTRAP && !is_sent(info)) return;
#endif
    bool is_repeated = signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE;
    if (!is_repeated || is_sent(info)) sys_signal_again(sys_process_id(), id, signal, info);
}

void astrolabe_handle_crash(int signal, siginfo_t *info, void *context) {
    enum { timeout = 2000 };
    astrolabe_run *run = astrolabe_handler.run;
    int error = sys_error();
    uint32_t id = sys_thread_id();
    // A handler that was installed later may call this one when the run has ended, and its descriptor may be that of
    // another file by then. A process that was forked off shares the parent's file.
    bool has_ended = __atomic_load_n(&astrolabe_handler.file, __ATOMIC_ACQUIRE) < 0;
    if (has_ended || sys_process_id() != astrolabe_handler.process) {
        forward(signal, info, context, id);
        sys_set_error(error);
        return;
    }
    uint32_t owner = 0;
    if (__atomic_compare_exchange_n(&run->crash.owner, &owner, id, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        capture(run, signal, info, context, id);
    } else if (owner == id) {
        // The handler itself crashed: continue with the next stage, but only once.
        if (run->crash.is_nested++ == 0) {
            if (run->crash.stage == ASTROLABE_STAGE_REGISTERS) reach(run, ASTROLABE_STAGE_STACK);
            if (run->crash.stage >= ASTROLABE_STAGE_BEGUN) capture(run, signal, info, context, id);
        }
    } else {
        // Another thread crashed first, and ends the process when it is done.
        for (int waited = 0; waited < timeout; waited++) {
            if (__atomic_load_n(&run->crash.stage, __ATOMIC_ACQUIRE) == ASTROLABE_STAGE_COMPLETE) break;
            sys_sleep_millisecond();
        }
    }
    forward(signal, info, context, id);
    sys_set_error(error);
}

// Notes the signal and lets it end the process as it would have without a handler: when this returns, it arrives again.
void astrolabe_handle_ending(int signal, siginfo_t *info, void *context) {
    (void)context;
    astrolabe_run *run = astrolabe_handler.run;
    int error = sys_error();
    uint32_t process = sys_process_id();
    // A process that was forked off shares the parent's file.
    if (run != NULL && process == astrolabe_handler.process) {
        atomic_store_explicit(
            &run->words[ASTROLABE_WORD_HEARTBEAT], sys_time(CLOCK_REALTIME), memory_order_relaxed);
        atomic_store_explicit(&run->words[ASTROLABE_WORD_END_SIGNAL], (uint64_t)signal, memory_order_release);
    }
    struct sigaction action = {0};
    action.sa_handler = SIG_DFL;
    sys_set_action(signal, &action);
    sys_signal_again(process, sys_thread_id(), signal, info);
    sys_set_error(error);
}
