#include "CCrashCapture.h"
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <typeinfo>

// Notes the type and the text of an uncaught C++ exception. The stack still contains the place that threw it, because
// nothing unwinds it if it is not caught.

static std::terminate_handler previous;

static void note_exception() {
    const std::type_info *type = abi::__cxa_current_exception_type();
    if (type == nullptr) return;
    int status = 0;
    char *name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    const char *shown = status == 0 && name != nullptr ? name : type->name();
    try {
        throw;
    } catch (const std::exception &exception) {
        astrolabe_note_exception(shown, exception.what(), nullptr, 0);
    } catch (...) {
        astrolabe_note_exception(shown, "", nullptr, 0);
    }
}

[[noreturn]] static void terminate() {
    note_exception();
    if (previous != nullptr) previous();
    std::abort();
}

extern "C" void astrolabe_terminate_install(void) {
    std::terminate_handler current = std::get_terminate();
    if (current == terminate) return;
    previous = current;
    std::set_terminate(terminate);
}
