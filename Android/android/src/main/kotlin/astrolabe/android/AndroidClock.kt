package astrolabe.android

import android.content.Context
import android.os.SystemClock
import android.provider.Settings
import astrolabe.queue.QueueClock

/** The clock of the device for a queue. */
public object AndroidClock {
    public fun queueClock(context: Context): QueueClock {
        val resolver = context.applicationContext.contentResolver
        return QueueClock(
            steady = { SystemClock.elapsedRealtimeNanos() },
            boot = { Settings.Global.getInt(resolver, Settings.Global.BOOT_COUNT, 0).toString() }
        )
    }
}
