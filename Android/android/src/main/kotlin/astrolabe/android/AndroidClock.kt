package astrolabe.android

import android.content.Context
import android.os.SystemClock
import android.provider.Settings
import astrolabe.conditions.Guard
import astrolabe.queue.QueueClock

/** The clock of the device for a queue. */
public object AndroidClock {
    /** Counts from a boot that is not known if the device does not say how often it has booted. */
    public fun queueClock(context: Context, onDiagnostic: (String) -> Unit = ::logWarning): QueueClock {
        val boot by lazy { boot(context, Guard(onDiagnostic)) }
        return QueueClock(steady = { SystemClock.elapsedRealtimeNanos() }, boot = { boot })
    }

    private fun boot(context: Context, guard: Guard): String = guard.call("Reading the number of boots", { "" }) {
        val count = Settings.Global.getInt(context.contentResolver, Settings.Global.BOOT_COUNT, 0)
        if (count > 0) count.toString() else ""
    }
}
