#include "CAstrolabeActivity.h"

#if defined(__APPLE__)
#include <os/activity.h>
#include <os/object.h>
#include <string.h>

_Static_assert(
    sizeof(struct os_activity_scope_state_s) == sizeof(((astrolabe_entered_activity *)0)->state),
    "the state of a scope is two words");

uint64_t astrolabe_activity_position(uint64_t *enclosing) {
    os_activity_id_t parent = 0;
    os_activity_id_t own = os_activity_get_identifier(OS_ACTIVITY_CURRENT, &parent);
    *enclosing = parent;
    return own;
}

astrolabe_entered_activity astrolabe_activity_enter(void) {
    astrolabe_entered_activity entered = {0};
    os_activity_t activity = os_activity_create("span", OS_ACTIVITY_CURRENT, OS_ACTIVITY_FLAG_DEFAULT);
    if (!activity) return entered;
    struct os_activity_scope_state_s state;
    memset(&state, 0, sizeof state);
    os_activity_scope_enter(activity, &state);
    entered.activity = os_activity_get_identifier(activity, NULL);
    memcpy(entered.state, &state, sizeof state);
    // The scope holds the activity from here on.
    os_release((void *)activity);
    return entered;
}

void astrolabe_activity_leave(astrolabe_entered_activity entered) {
    if (entered.activity == 0) return;
    struct os_activity_scope_state_s state;
    memcpy(&state, entered.state, sizeof state);
    os_activity_scope_leave(&state);
}
#endif
