package astrolabe.android

import android.app.Activity
import android.app.Application
import android.os.Bundle
import astrolabe.conditions.LifecycleState
import java.util.Collections
import java.util.IdentityHashMap

/**
 * Derives the app's lifecycle from that of its activities.
 *
 * Between two activities, and while one is made again, none is in front. So leaving the front counts only if it lasts
 * for [HOLD_BACK], as in Android's `ProcessLifecycleOwner`.
 *
 * @param later Runs work after [HOLD_BACK] on the main thread.
 */
internal class AndroidLifecycle(
    private val later: (() -> Unit) -> Unit,
    private val onChange: (LifecycleState) -> Unit
) : Application.ActivityLifecycleCallbacks {
    private val started = activities()
    private val resumed = activities()
    private var isWaiting = false

    private val state: LifecycleState
        get() = when {
            resumed.isNotEmpty() -> LifecycleState.ACTIVE
            started.isNotEmpty() -> LifecycleState.INACTIVE
            else -> LifecycleState.BACKGROUND
        }

    override fun onActivityStarted(activity: Activity) {
        started.add(activity)
        settle()
    }

    override fun onActivityResumed(activity: Activity) {
        started.add(activity)
        resumed.add(activity)
        settle()
    }

    /** If its start was before ours, the activity is known from here on. */
    override fun onActivityPaused(activity: Activity) {
        started.add(activity)
        resumed.remove(activity)
        settle()
    }

    override fun onActivityStopped(activity: Activity) {
        started.remove(activity)
        resumed.remove(activity)
        settle()
    }

    override fun onActivityDestroyed(activity: Activity): Unit = onActivityStopped(activity)

    override fun onActivityCreated(activity: Activity, state: Bundle?) = Unit

    override fun onActivitySaveInstanceState(activity: Activity, state: Bundle) = Unit

    private fun settle() {
        if (state == LifecycleState.ACTIVE) {
            onChange(state)
        } else if (!isWaiting) {
            isWaiting = true
            later {
                isWaiting = false
                onChange(state)
            }
        }
    }

    companion object {
        /** Milliseconds. */
        const val HOLD_BACK = 700L

        private fun activities(): MutableSet<Activity> = Collections.newSetFromMap(IdentityHashMap())
    }
}
