#ifndef ASTROLABE_CCRASHES_H
#define ASTROLABE_CCRASHES_H

// Ways to end a process that Swift does not have; each does what it says, and does not return.

#if defined(__cplusplus)
extern "C" {
#endif

void crash_null_dereference(void);
/// Dereferences a null pointer in a function that is inlined.
void crash_inlined(void);
void crash_null_call(void);
void crash_beyond_file(void);
void crash_bad_instruction(void);
void crash_breakpoint(void);
void crash_division(void);
void crash_forbidden_call(void);
void crash_abort(void);
/// Throws a C++ exception that is not caught.
void crash_uncaught_exception(void);
/// Has the handler of crashes itself crash, and then crashes.
void crash_in_handler(void);

/// Installs a handler of segmentation faults that ends the process with this status.
void install_handler_that_exits(int status);
/// Installs a handler of segmentation faults that calls the present one, as another reporter of crashes does. It ends
/// the process with the status 43 if it is called a third time.
void install_handler_that_passes_on(void);

#if defined(__cplusplus)
}
#endif

#endif
