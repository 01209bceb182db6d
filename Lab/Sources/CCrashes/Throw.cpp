#include "CCrashes.h"
#include <stdexcept>

__attribute__((noinline, optnone)) void crash_uncaught_exception(void) {
    throw std::runtime_error("the mirror cracked");  // crashes here: uncaught-exception
}
