#ifndef C_ASTROLABE_ACTIVITY_H
#define C_ASTROLABE_ACTIVITY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__APPLE__)
/// An activity that was entered, and what the system needs to leave it.
typedef struct {
    uint64_t activity;
    uint64_t state[2];
} astrolabe_entered_activity;

/// Returns the number of the running code's activity, and writes that of the enclosing one; 0 for none.
uint64_t astrolabe_activity_position(uint64_t *enclosing);

/// Enters a new activity within the current one.
astrolabe_entered_activity astrolabe_activity_enter(void);

/// Leaves an activity, in the task or thread that entered it.
void astrolabe_activity_leave(astrolabe_entered_activity entered);
#endif

#ifdef __cplusplus
}
#endif

#endif
