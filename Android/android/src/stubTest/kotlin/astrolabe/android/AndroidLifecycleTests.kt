package astrolabe.android

import android.app.Activity
import astrolabe.conditions.LifecycleState
import org.junit.Assert.assertEquals
import org.junit.Test

class AndroidLifecycleTests : AndroidTest() {
    private val states = mutableListOf<LifecycleState>()
    private val first = Activity()
    private val second = Activity()

    private fun follow(): AndroidSignals {
        val signals = signals()
        states.add(signals.current.lifecycle)
        signals.observe { _, after -> states.add(after.lifecycle) }
        signals.start()
        return signals
    }

    @Test
    fun `a change of activity, and one that is made again, leave the app in front`() {
        follow()
        show(first)
        device.advance(60_000)
        for (round in 1..10) {
            change(first, second)
            device.advance(900)
            change(second, first)
            device.advance(200)
        }
        // A rotation.
        leave(first)
        activities { onActivityDestroyed(first) }
        device.advance(300)
        show(second)
        device.advance(60_000)
        assertEquals(listOf(LifecycleState.LAUNCHING, LifecycleState.ACTIVE), states)
    }

    @Test
    fun `leaving the app counts after 700 ms, and the return at once`() {
        follow()
        show(first)
        leave(first)
        device.advance(699)
        assertEquals(LifecycleState.ACTIVE, states.last())
        device.advance(1)
        assertEquals(LifecycleState.BACKGROUND, states.last())
        show(first)
        assertEquals(LifecycleState.ACTIVE, states.last())
    }

    @Test
    fun `an activity that is visible behind another app's is inactive`() {
        follow()
        show(first)
        activities { onActivityPaused(first) }
        device.advance(700)
        assertEquals(LifecycleState.INACTIVE, states.last())
        activities { onActivityStopped(first) }
        device.advance(700)
        assertEquals(LifecycleState.BACKGROUND, states.last())
    }

    @Test
    fun `a start after the first activity sees each trip to the background`() {
        follow()
        // The activity was shown before anything followed it.
        for (trip in 1..3) {
            leave(first)
            device.advance(60_000)
            show(first)
            device.advance(60_000)
        }
        val trips = List(3) { listOf(LifecycleState.BACKGROUND, LifecycleState.ACTIVE) }.flatten()
        assertEquals(listOf(LifecycleState.LAUNCHING) + trips, states)
    }

    @Test
    fun `two trips end in the background as one does`() {
        follow()
        for (trip in 1..2) {
            show(first)
            change(first, second)
            leave(second)
            device.advance(700)
            assertEquals(LifecycleState.BACKGROUND, states.last())
        }
    }

    @Test
    fun `a process that a push or a job has started is in the background until an activity comes`() {
        for (importance in listOf(125, 200, 230, 300, 400)) {
            replaceDevice()
            states.clear()
            device.importance = importance
            follow()
            show(first)
            assertEquals("$importance", listOf(LifecycleState.BACKGROUND, LifecycleState.ACTIVE), states)
        }
    }
}
