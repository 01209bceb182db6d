package astrolabe.android

import android.app.Activity
import android.app.Application
import android.content.Intent
import android.os.BatteryManager
import android.os.Build
import astrolabe.stubs.FakeDevice
import org.junit.Before
import org.junit.Rule
import org.junit.rules.TemporaryFolder

/** Tests with a device of their own. */
abstract class AndroidTest {
    @get:Rule
    val folder = TemporaryFolder()

    internal val device: FakeDevice get() = FakeDevice.current
    internal val application = Application()
    internal val diagnostics = mutableListOf<String>()

    @Before
    fun replaceDevice() {
        FakeDevice.current = FakeDevice()
        device.noBackupFolder = folder.root
        device.battery = battery(level = 80, status = 3)
        Build.VERSION.SDK_INT = 24
    }

    internal fun signals(): AndroidSignals = AndroidSignals(application) { diagnostics.add(it) }

    internal fun battery(level: Int, status: Int, plugged: Int = 0): Intent =
        Intent().putExtra(BatteryManager.EXTRA_LEVEL, level).putExtra(BatteryManager.EXTRA_SCALE, 100)
            .putExtra(BatteryManager.EXTRA_STATUS, status).putExtra(BatteryManager.EXTRA_PLUGGED, plugged)

    internal fun activities(call: Application.ActivityLifecycleCallbacks.() -> Unit) {
        for (callbacks in device.activityCallbacks) callbacks.call()
    }

    internal fun show(activity: Activity): Unit = activities {
        onActivityStarted(activity)
        onActivityResumed(activity)
    }

    internal fun leave(activity: Activity): Unit = activities {
        onActivityPaused(activity)
        onActivityStopped(activity)
    }

    /** In the order in which Android reports it. */
    internal fun change(from: Activity, to: Activity): Unit = activities {
        onActivityPaused(from)
        onActivityStarted(to)
        onActivityResumed(to)
        onActivityStopped(from)
    }
}
