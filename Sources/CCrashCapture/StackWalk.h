#ifndef ASTROLABE_STACKWALK_H
#define ASTROLABE_STACKWALK_H

#include "CrashLayout.h"
#include "SystemCalls.h"

#if defined(__APPLE__)
// The one without `sys` is refused there, as is whatever asks for the X/Open interfaces.
#include <sys/ucontext.h>
#else
#include <ucontext.h>
#endif
#if defined(__APPLE__) && __has_feature(ptrauth_calls)
#include <mach/thread_status.h>
#endif

// Walks stacks by frame pointers, for the handlers alone, under the same law: nothing is called, and no memory is read
// that may not be there.

typedef struct {
    uint64_t pc, sp, fp, link;
} machine_state;

typedef struct {
    uint64_t next, address;
} frame_record;

static machine_state state_of(const ucontext_t *context) {
    machine_state state = {0, 0, 0, 0};
#if defined(__linux__) && defined(__x86_64__)
    state.pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
    state.sp = (uint64_t)context->uc_mcontext.gregs[REG_RSP];
    state.fp = (uint64_t)context->uc_mcontext.gregs[REG_RBP];
#elif defined(__linux__) && defined(__aarch64__)
    state.pc = context->uc_mcontext.pc;
    state.sp = context->uc_mcontext.sp;
    state.fp = context->uc_mcontext.regs[29];
    state.link = context->uc_mcontext.regs[30];
#elif defined(__APPLE__) && defined(__aarch64__) && __has_feature(ptrauth_calls)
    // The fields are opaque, and the pointers in them signed.
    state.pc = (uint64_t)arm_thread_state64_get_pc(context->uc_mcontext->__ss);
    state.sp = (uint64_t)arm_thread_state64_get_sp(context->uc_mcontext->__ss);
    state.fp = (uint64_t)arm_thread_state64_get_fp(context->uc_mcontext->__ss);
    state.link = (uint64_t)arm_thread_state64_get_lr(context->uc_mcontext->__ss);
#elif defined(__APPLE__) && defined(__aarch64__)
    state.pc = (uint64_t)context->uc_mcontext->__ss.__pc;
    state.sp = (uint64_t)context->uc_mcontext->__ss.__sp;
    state.fp = (uint64_t)context->uc_mcontext->__ss.__fp;
    state.link = (uint64_t)context->uc_mcontext->__ss.__lr;
#elif defined(__APPLE__) && defined(__x86_64__)
    state.pc = context->uc_mcontext->__ss.__rip;
    state.sp = context->uc_mcontext->__ss.__rsp;
    state.fp = context->uc_mcontext->__ss.__rbp;
#endif
    return state;
}

// Pointers to frames of asynchronous functions are marked, and on arm64 return addresses may be signed.
static uint64_t plain(uint64_t address) { return address & UINT64_C(0x00007fffffffffff); }

// Reads memory that may not be there: it has the system write it into the file, which fails where it is not, and finds
// it in the file's memory.
static bool read_words(uint64_t address, stored_thread *thread, size_t words) {
    size_t offset = (size_t)((uint8_t *)thread->scratch - (uint8_t *)astrolabe_handler.run);
    long count = (long)(words * sizeof(uint64_t));
    if (address < 4096) return false;
    return sys_write_at(astrolabe_handler.file, (const void *)address, (size_t)count, (off_t)offset) == count;
}

static const astrolabe_image *image_of(uint64_t address) {
    const astrolabe_run *run = astrolabe_handler.run;
    uint32_t count = atomic_load_explicit(&run->image_count, memory_order_acquire);
    if (count > ASTROLABE_IMAGE_COUNT) count = ASTROLABE_IMAGE_COUNT;
    for (uint32_t index = 0; index < count; index++) {
        const astrolabe_image *image = &run->images[index].image;
        if (address >= image->begin && address < image->end) return image;
    }
    return NULL;
}

static bool is_code(uint64_t address) {
    const astrolabe_image *image = image_of(address);
    return image != NULL && address >= image->code_begin && address < image->code_end;
}

// Whether the instruction before an address is a call, so that the address may be one to return to.
static bool is_after_call(uint64_t address, stored_thread *thread) {
    if (!is_code(address) || !is_code(address - 8) || !read_words(address - 8, thread, 1)) return false;
    const uint8_t *bytes = (const uint8_t *)thread->scratch;
#if defined(__x86_64__)
    if (bytes[3] == 0xe8) return true;
    // The forms of an indirect call, by where the byte that says so is.
    for (int length = 2; length <= 7; length++) {
        if (bytes[8 - length] == 0xff && (bytes[9 - length] & 0x38) == 0x10) return true;
    }
    return false;
#else
    uint32_t instruction = (uint32_t)bytes[4] | (uint32_t)bytes[5] << 8 | (uint32_t)bytes[6] << 16 | (uint32_t)bytes[7] << 24;
    return (instruction & 0xfc000000) == 0x94000000 || (instruction & 0xfffffc1f) == 0xd63f0000;
#endif
}

static bool is_frame(uint64_t fp, uint64_t above, stored_thread *thread) {
    return fp > above && fp - above < (UINT64_C(1) << 30) && (fp & 7) == 0 && read_words(fp, thread, 2);
}

// Follows the frame pointers, and returns the number of frames that there are then.
static uint32_t follow(uint64_t fp, uint64_t above, stored_thread *thread, uint32_t count, uint32_t limit) {
    while (count < limit && is_frame(fp, above, thread)) {
        frame_record record = {plain(thread->scratch[0]), plain(thread->scratch[1])};
        if (!is_code(record.address)) break;
        thread->frames[count++] = record.address;
        above = fp;
        fp = record.next;
    }
    return count;
}

// What the instruction before an address to return to calls; 0 where only a register knew.
static uint64_t callee_before(uint64_t address, stored_thread *thread) {
    if (!is_code(address) || !is_code(address - 8) || !read_words(address - 8, thread, 1)) return 0;
    const uint8_t *bytes = (const uint8_t *)thread->scratch;
    uint32_t last = (uint32_t)bytes[4] | (uint32_t)bytes[5] << 8 | (uint32_t)bytes[6] << 16 | (uint32_t)bytes[7] << 24;
#if defined(__x86_64__)
    return bytes[3] == 0xe8 ? address + (uint64_t)(int64_t)(int32_t)last : 0;
#else
    if ((last & 0xfc000000) != 0x94000000) return 0;
    return address - 4 + (uint64_t)((int64_t)(int32_t)(last << 6) >> 4);
#endif
}

// Whether a function is the app's own, and not a piece of code that goes on to a library at once, by an address that the
// linker has filled in.
static bool is_of_app(uint64_t function, stored_thread *thread) {
    const astrolabe_image *image = image_of(function);
    if (image == NULL || !image->is_app || !read_words(function, thread, 2)) return false;
    const uint8_t *bytes = (const uint8_t *)thread->scratch;
#if defined(__x86_64__)
    if (bytes[0] == 0xf3 && bytes[1] == 0x0f && bytes[2] == 0x1e && bytes[3] == 0xfa) bytes += 4;
    if (bytes[0] == 0xf2) bytes++;
    return bytes[0] != 0xff || bytes[1] != 0x25;
#else
    // adrp x16
    return (bytes[0] & 0x1f) != 0x10 || (bytes[3] & 0x9f) != 0x90;
#endif
}

// Looks through the stack for a frame: an address on this stack, before an address of code, that leads to another such
// pair. Returns the address of the pair, or 0.
//
// Most that are stale are of functions of libraries that the app has called before: where it must be likely, only one
// of a function of the app's, or of a library's that this has called itself, will do.
static uint64_t find_frame(uint64_t sp, stored_thread *thread, bool is_likely) {
    enum { words = 2048 };
    sp = (sp + 7) & ~UINT64_C(7);
    for (uint64_t place = sp; place < sp + words * 8; place += 8) {
        if (!read_words(place, thread, 2)) return 0;
        uint64_t next = plain(thread->scratch[0]);
        uint64_t address = plain(thread->scratch[1]);
        if (next <= place || next - place > (1 << 20) || (next & 7) != 0) continue;
        if (!is_after_call(address, thread) || !read_words(next, thread, 2)) continue;
        if (!is_code(plain(thread->scratch[1]))) continue;
        if (!is_likely) return place;
        uint64_t function = callee_before(address, thread);
        if (function != 0 && (!image_of(address)->is_app || is_of_app(function, thread))) return place;
    }
    return 0;
}

// The system's functions keep no frame pointers: who called them is between the top of the stack and the frame that the
// pointer names. Adds what looks like it, and last who of the app did: of all that look so the nearest to the frame,
// for what is left of earlier calls lies in the libraries' own. That one is sure where the frame is known to be the
// app's, because its caller calls a function of the app's; where it calls a library's there is nothing to look for.
static uint32_t find_callers(const machine_state *state, stored_thread *thread, uint32_t count) {
    enum { words = 512, most = 7 };
    uint64_t end = plain(state->fp);
    if (end < state->sp || end - state->sp > words * 8 || !read_words(end, thread, 2)) return count;
    uint64_t function = callee_before(plain(thread->scratch[1]), thread);
    if (function != 0 && !is_of_app(function, thread)) return count;
    uint32_t limit = count + most;
    uint64_t caller = 0;
    for (uint64_t place = (state->sp + 7) & ~UINT64_C(7); place < end; place += 8) {
        if (!read_words(place, thread, 1)) break;
        uint64_t address = plain(thread->scratch[0]);
        if (!is_after_call(address, thread)) continue;
        if (image_of(address)->is_app) {
            caller = address;
        } else if (count < limit) {
            thread->frames[count++] = address | ASTROLABE_FRAME_IS_SCANNED;
        }
    }
    if (caller != 0) thread->frames[count++] = function != 0 ? caller : caller | ASTROLABE_FRAME_IS_SCANNED;
    return count;
}

static void walk(const machine_state *where, stored_thread *thread, uint32_t limit) {
    machine_state changed = *where;
    machine_state *state = &changed;
    uint32_t count = 0;
    thread->frames[count++] = plain(state->pc);
    const astrolabe_image *image = image_of(plain(state->pc));
    if (image == NULL) {
        // A call of what is no function: who called is on top of the stack, or in the link register.
        uint64_t caller = plain(state->link);
        if (caller == 0 && read_words(state->sp, thread, 1)) caller = plain(thread->scratch[0]);
        if (is_code(caller)) thread->frames[count++] = caller;
    }
    uint32_t before = count;
    if (image != NULL && !image->is_app) {
        // Some use the pointer for another purpose.
        if (!is_frame(plain(state->fp), state->sp - 1, thread) || !is_code(plain(thread->scratch[1]))) {
            uint64_t place = find_frame(state->sp, thread, true);
            if (place != 0) state->fp = place;
        }
        uint32_t found = find_callers(state, thread, count);
        uint64_t last = thread->frames[found - 1] & ~ASTROLABE_FRAME_IS_SCANNED;
        // Without one of the app's the search was in vain.
        if (found > count && image_of(last)->is_app) count = found;
        before = count;
    }
    count = follow(plain(state->fp), state->sp - 1, thread, count, limit);
    if (count == before) {
        uint64_t place = find_frame(state->sp, thread, false);
        if (place != 0 && read_words(place, thread, 2)) {
            uint64_t next = plain(thread->scratch[0]);
            thread->frames[count++] = plain(thread->scratch[1]) | ASTROLABE_FRAME_IS_SCANNED;
            count = follow(next, place, thread, count, limit);
        }
    }
    atomic_thread_fence(memory_order_release);
    thread->head.frame_count = count;
}

#endif
