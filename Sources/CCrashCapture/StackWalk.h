#ifndef ASTROLABE_STACKWALK_H
#define ASTROLABE_STACKWALK_H

#include "CrashLayout.h"
#include "SystemCalls.h"

#if defined(__APPLE__)
// The header without `sys` is rejected on Apple platforms, like everything else that needs X/Open interfaces.
#include <sys/ucontext.h>
#else
#include <ucontext.h>
#endif
#if defined(__APPLE__)
#include <mach/mach.h>
#endif

// Walks stacks by frame pointers. For the handlers only, and with the same rules: it calls nothing, and reads possibly
// unmapped memory only through system calls.

typedef struct {
    uint64_t pc, sp, fp, link;
} machine_state;

typedef struct {
    uint64_t next, address;
} frame_record;

#if defined(__APPLE__) && defined(__aarch64__)
// The accessors know whether the fields are opaque and their pointers signed.
static machine_state state_in(arm_thread_state64_t registers) {
    machine_state state = {
        (uint64_t)arm_thread_state64_get_pc(registers), (uint64_t)arm_thread_state64_get_sp(registers),
        (uint64_t)arm_thread_state64_get_fp(registers), (uint64_t)arm_thread_state64_get_lr(registers),
    };
    return state;
}
#endif

static inline machine_state state_of(const ucontext_t *context) {
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
#elif defined(__APPLE__) && defined(__aarch64__)
    state = state_in(context->uc_mcontext->__ss);
#elif defined(__APPLE__) && defined(__x86_64__)
    state.pc = context->uc_mcontext->__ss.__rip;
    state.sp = context->uc_mcontext->__ss.__rsp;
    state.fp = context->uc_mcontext->__ss.__rbp;
#endif
    return state;
}

// Frame pointers of asynchronous functions carry a mark, and arm64 return addresses may be signed.
// Addresses of a process have 48 bits on arm64 Linux and Android, 47 elsewhere.
static uint64_t plain(uint64_t address) {
#if defined(__linux__) && defined(__aarch64__)
    return address & UINT64_C(0x0000ffffffffffff);
#else
    return address & UINT64_C(0x00007fffffffffff);
#endif
}

// Copies possibly unmapped memory to a place in the run. The system writes it to the run's file, which fails if it is
// unmapped.
static bool copy_to_run(void *place, const void *bytes, size_t count) {
    off_t offset = (off_t)((uint8_t *)place - (uint8_t *)astrolabe_handler.run);
    return sys_write_at(astrolabe_handler.file, bytes, count, offset) == (long)count;
}

static bool read_words(uint64_t address, stored_thread *thread, size_t words) {
    return address >= 4096 && copy_to_run(thread->scratch, (const void *)address, words * sizeof(uint64_t));
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

// Whether the instruction before an address is a call, so that it may be a return address.
static bool is_after_call(uint64_t address, stored_thread *thread) {
    if (!is_code(address) || !is_code(address - 8) || !read_words(address - 8, thread, 1)) return false;
    const uint8_t *bytes = (const uint8_t *)thread->scratch;
#if defined(__x86_64__)
    if (bytes[3] == 0xe8) return true;
    // The encodings of an indirect call, by the position of the opcode.
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

// Follows the frame pointers and returns the new number of frames.
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

// Returns the target of the call before a return address; 0 for an indirect call.
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

// Whether a function belongs to the app and is not a stub that jumps to a library through an address filled in by the
// linker.
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

// Returns the last frame record that a record leads to; the highest address if there are very many.
static uint64_t end_of_records(uint64_t fp, stored_thread *thread) {
    enum { most = 256 };
    uint64_t above = fp - 1;
    for (int count = 0; is_frame(fp, above, thread); count++) {
        if (count == most) return UINT64_MAX;
        uint64_t next = plain(thread->scratch[0]);
        if (!is_code(plain(thread->scratch[1]))) break;
        above = fp;
        fp = next;
    }
    return above;
}

// Searches the stack for a frame record: a stack address before a code address that leads to another such pair. Returns
// the address of the pair, or 0.
//
// Most stale records belong to library functions that the app called earlier. If `is_likely`, only a record of an app
// function, or of a library function called by the same library, is accepted. Of these, it is the first of those that lead
// the furthest: records of the app can be stale too, and lead to others that were overwritten.
static uint64_t find_frame(uint64_t sp, stored_thread *thread, bool is_likely) {
    enum { words = 2048 };
    sp = (sp + 7) & ~UINT64_C(7);
    uint64_t best = 0, furthest = 0;
    for (uint64_t place = sp; place < sp + words * 8; place += 8) {
        if (!read_words(place, thread, 2)) break;
        uint64_t next = plain(thread->scratch[0]);
        uint64_t address = plain(thread->scratch[1]);
        if (next <= place || next - place > (1 << 20) || (next & 7) != 0) continue;
        if (!is_after_call(address, thread) || !read_words(next, thread, 2)) continue;
        if (!is_code(plain(thread->scratch[1]))) continue;
        if (!is_likely) return place;
        uint64_t function = callee_before(address, thread);
        if (function == 0 || (image_of(address)->is_app && !is_of_app(function, thread))) continue;
        uint64_t end = end_of_records(place, thread);
        if (end <= furthest) continue;
        best = place;
        furthest = end;
    }
    return best;
}

// Adds frames between the top of the stack and the frame that the pointer names, because system functions keep no frame
// pointers.
//
// Adds everything that looks like a return address, and as the last frame the app's caller. Of all candidates this is
// the nearest to the frame, because stale addresses lie within the libraries' frames. It is certain if the frame is
// known to be the app's, because its caller calls an app function. If its caller calls a library function, there is
// nothing to search for.
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

#if defined(__aarch64__)
// Whether code between two addresses saves the link register, as a function does that calls others.
static bool saves_link(uint64_t from, uint64_t to, stored_thread *thread) {
    for (uint64_t place = from & ~UINT64_C(7); place < to; place += 8) {
        if (!read_words(place, thread, 1)) return true;
        uint32_t pair[2];
        __builtin_memcpy(pair, thread->scratch, sizeof pair);
        for (int index = 0; index < 2; index++) {
            uint64_t address = place + 4 * (uint64_t)index;
            // stp x29, x30, [sp, #offset], with and without a change of sp.
            if (address >= from && address < to && (pair[index] & 0xff407fff) == 0xa9007bfd) return true;
        }
    }
    return false;
}

// Adds the caller of a function that has no frame, which only the link register names. In other functions, the register
// has the caller too, which the frame names as well, or an address after an earlier call.
//
// It is certain if the caller calls the function by its address, or is in another image: a call within the function's own
// image would have changed the register. After an indirect call, as of a method, the function's begin is unknown, and the
// frame is marked.
static uint32_t add_link(const machine_state *state, stored_thread *thread, uint32_t count) {
    enum { largest_function = 8192, searched = 256 };
    uint64_t link = plain(state->link), pc = plain(state->pc);
    if (!is_after_call(link, thread)) return count;
    if (is_frame(plain(state->fp), state->sp - 1, thread) && plain(thread->scratch[1]) == link) return count;
    uint64_t function = callee_before(link, thread);
    if (image_of(link) != image_of(pc)) {
        thread->frames[count++] = link;
    } else if (function != 0) {
        if (function > pc || pc - function > largest_function || saves_link(function, pc, thread)) return count;
        thread->frames[count++] = link;
    } else if (!saves_link(pc > searched ? pc - searched : 0, pc, thread)) {
        thread->frames[count++] = link | ASTROLABE_FRAME_IS_SCANNED;
    }
    return count;
}
#endif

static inline void walk(const machine_state *where, stored_thread *thread, uint32_t limit) {
    machine_state changed = *where;
    machine_state *state = &changed;
    uint32_t count = 0;
    thread->frames[count++] = plain(state->pc);
    const astrolabe_image *image = image_of(plain(state->pc));
    if (image == NULL) {
        // A call to an invalid address: the caller is on top of the stack or in the link register.
        uint64_t caller = plain(state->link);
        if (caller == 0 && read_words(state->sp, thread, 1)) caller = plain(thread->scratch[0]);
        if (is_code(caller)) thread->frames[count++] = caller;
    }
#if defined(__aarch64__)
    if (image != NULL) count = add_link(state, thread, count);
    // The caller of a library function that has no frame is known, so there is nothing to search for.
    bool is_known = count > 1 && image_of(thread->frames[1]) != image;
#else
    bool is_known = false;
#endif
    uint32_t before = count;
    if (image != NULL && !image->is_app) {
        // Some system functions use the frame pointer for other purposes.
        if (!is_frame(plain(state->fp), state->sp - 1, thread) || !is_code(plain(thread->scratch[1]))) {
            uint64_t place = find_frame(state->sp, thread, true);
            if (place != 0) state->fp = place;
        }
        uint32_t found = is_known ? count : find_callers(state, thread, count);
        uint64_t last = thread->frames[found - 1] & ~ASTROLABE_FRAME_IS_SCANNED;
        // Without a frame of the app the search has failed.
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

#if defined(__APPLE__) && defined(__aarch64__)
// Walks the stack of another thread, which is suspended meanwhile. It may hold any lock, so nothing is allocated or
// logged here. False if it cannot be suspended.
static bool walk_suspended(uint32_t id, stored_thread *thread) {
#if ASTROLABE_IS_RESTRICTED
    (void)id;
    (void)thread;
    return false;
#else
    if (thread_suspend(id) != KERN_SUCCESS) return false;
    arm_thread_state64_t registers;
    mach_msg_type_number_t size = ARM_THREAD_STATE64_COUNT;
    if (thread_get_state(id, ARM_THREAD_STATE64, (thread_state_t)&registers, &size) == KERN_SUCCESS) {
        machine_state state = state_in(registers);
        walk(&state, thread, ASTROLABE_SAMPLE_FRAMES);
    }
    thread_resume(id);
    return true;
#endif
}
#endif

#endif
