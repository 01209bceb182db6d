#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CrashLayout.h"
#include <limits.h>
#include <string.h>
#include <unistd.h>

static bool is_listed(const astrolabe_run *run, uint64_t begin, uint64_t bias) {
    for (int index = 0; index < astrolabe_run_image_count(run); index++) {
        if (run->images[index].image.begin == begin && run->images[index].image.bias == bias) return true;
    }
    return false;
}

static void list(astrolabe_run *run, int room, const astrolabe_image *image, const char *path) {
    uint32_t count = atomic_load_explicit(&run->image_count, memory_order_relaxed);
    if (count >= ASTROLABE_IMAGE_COUNT) return;
    if ((int)count >= room) {
        // The next call tries again.
        run->images_loaded = 0;
        return;
    }
    run->images[count].image = *image;
    // The end of a path that is too long is more useful than its start.
    size_t size = strlen(path);
    if (size >= ASTROLABE_IMAGE_PATH) path += size - (ASTROLABE_IMAGE_PATH - 1);
    strncpy(run->images[count].path, path, ASTROLABE_IMAGE_PATH - 1);
    atomic_store_explicit(&run->image_count, count + 1, memory_order_release);
}

#if defined(__linux__)
#include <elf.h>
#include <link.h>

static void find_build_id(const struct dl_phdr_info *info, const ElfW(Phdr) *segment, astrolabe_image *image) {
    const uint8_t *notes = (const uint8_t *)(info->dlpi_addr + segment->p_vaddr);
    size_t size = segment->p_memsz;
    for (size_t offset = 0; offset + sizeof(ElfW(Nhdr)) <= size;) {
        const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)(notes + offset);
        size_t name = offset + sizeof *note;
        size_t text = name + ((note->n_namesz + 3) & ~3u);
        size_t next = text + ((note->n_descsz + 3) & ~3u);
        if (next > size || next <= offset) return;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0) {
            size_t count = note->n_descsz < sizeof image->build_id ? note->n_descsz : sizeof image->build_id;
            memcpy(image->build_id, notes + text, count);
            image->build_id_size = (uint8_t)count;
            return;
        }
        offset = next;
    }
}

typedef struct {
    astrolabe_run *run;
    int room;
    bool is_first;
    // Whether the list was empty, so that no image can be listed already.
    bool is_new;
} visit;

static int visit_image(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    visit *state = context;
    if (state->is_first && state->run->images_loaded == info->dlpi_adds) return 1;
    bool is_first = state->is_first;
    state->is_first = false;
    if (is_first) state->run->images_loaded = info->dlpi_adds;
    astrolabe_image image = {.bias = info->dlpi_addr, .begin = UINT64_MAX, .is_app = is_first};
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
        if (segment->p_type == PT_LOAD) {
            uint64_t begin = info->dlpi_addr + segment->p_vaddr;
            if (begin < image.begin) image.begin = begin;
            if (begin + segment->p_memsz > image.end) image.end = begin + segment->p_memsz;
            if (segment->p_flags & PF_X) {
                image.code_begin = begin;
                image.code_end = begin + segment->p_memsz;
            }
        } else if (segment->p_type == PT_NOTE && image.build_id_size == 0) {
            find_build_id(info, segment, &image);
        }
    }
    if (image.begin >= image.end) return 0;
    char path[PATH_MAX];
    const char *name = info->dlpi_name;
    if (is_first && (name == NULL || name[0] == 0)) {
        ssize_t count = readlink("/proc/self/exe", path, sizeof path - 1);
        path[count > 0 ? count : 0] = 0;
        name = path;
    }
    if (!state->is_new && is_listed(state->run, image.begin, image.bias)) return 0;
    list(state->run, state->room, &image, name != NULL && name[0] != 0 ? name : "[vdso]");
    return 0;
}

void astrolabe_run_collect_images(astrolabe_run *run, int room) {
    visit state = {run, room, true, astrolabe_run_image_count(run) == 0};
    dl_iterate_phdr(visit_image, &state);
}

static int count_images(struct dl_phdr_info *info, size_t size, void *count) {
    (void)size;
    *(int *)count = (int)info->dlpi_adds;
    return 1;
}

int astrolabe_loaded_image_count(void) {
    int count = 0;
    dl_iterate_phdr(count_images, &count);
    return count;
}

#elif defined(__APPLE__)
#include <mach-o/dyld.h>
#include <mach-o/loader.h>

// The folder of the app's own code, with the slash at its end: the bundle of the app, which contains its frameworks and
// extensions and Xcode's debug libraries; without a bundle, the folder of the executable. Returns its size.
static size_t app_folder(const char *executable) {
    const char *bundle = strstr(executable, ".app/");
    if (bundle != NULL) return (size_t)(bundle - executable) + 5;
    const char *slash = strrchr(executable, '/');
    return slash == NULL ? 0 : (size_t)(slash - executable) + 1;
}

// Whether an image is the app's. The Swift runtime may be in the bundle too, and is not.
static bool is_of_app(const struct mach_header_64 *header, const char *path) {
    if (header->filetype == MH_EXECUTE) return true;
    const char *executable = _dyld_get_image_name(0);
    size_t size = executable == NULL ? 0 : app_folder(executable);
    const char *name = strrchr(path, '/');
    if (name != NULL && strncmp(name, "/libswift", 9) == 0) return false;
    return size > 0 && strncmp(path, executable, size) == 0;
}

int astrolabe_loaded_image_count(void) { return (int)_dyld_image_count(); }

void astrolabe_run_collect_images(astrolabe_run *run, int room) {
    uint32_t loaded = _dyld_image_count();
    if (run->images_loaded == loaded) return;
    run->images_loaded = loaded;
    // If the list was empty, no image can be listed already.
    bool is_new = astrolabe_run_image_count(run) == 0;
    for (uint32_t index = 0; index < loaded; index++) {
        const struct mach_header_64 *header = (const struct mach_header_64 *)_dyld_get_image_header(index);
        const char *path = _dyld_get_image_name(index);
        if (header == NULL || path == NULL) continue;
        astrolabe_image image = {.bias = (uint64_t)header, .begin = (uint64_t)header};
        image.is_app = is_of_app(header, path);
        const uint8_t *place = (const uint8_t *)(header + 1);
        for (uint32_t number = 0; number < header->ncmds; number++) {
            const struct load_command *command = (const struct load_command *)place;
            if (command->cmd == LC_SEGMENT_64) {
                const struct segment_command_64 *segment = (const struct segment_command_64 *)command;
                if (strcmp(segment->segname, "__TEXT") == 0) image.end = image.begin + segment->vmsize;
            } else if (command->cmd == LC_UUID) {
                memcpy(image.build_id, ((const struct uuid_command *)command)->uuid, 16);
                image.build_id_size = 16;
            }
            place += command->cmdsize;
        }
        image.code_begin = image.begin;
        image.code_end = image.end;
        if (image.end <= image.begin) continue;
        if (is_new || !is_listed(run, image.begin, image.bias)) list(run, room, &image, path);
    }
}
#endif
