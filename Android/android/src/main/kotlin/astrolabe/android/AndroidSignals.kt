package astrolabe.android

import android.app.Activity
import android.app.ActivityManager
import android.app.Application
import android.content.BroadcastReceiver
import android.content.ComponentCallbacks2
import android.content.Context
import android.content.Intent
import android.content.IntentFilter
import android.content.res.Configuration
import android.os.BatteryManager
import android.os.Build
import android.os.Bundle
import android.os.PowerManager
import astrolabe.conditions.Conditions
import astrolabe.conditions.ConditionsStore
import astrolabe.conditions.DeviceSignals
import astrolabe.conditions.LifecycleState
import astrolabe.conditions.MemoryPressure
import astrolabe.conditions.PlatformMapping
import astrolabe.conditions.Power

/**
 * The conditions of the device, from the platform's services.
 *
 *     val signals = AndroidSignals(application)
 *     signals.start()    // in Application.onCreate
 *
 * The permission `ACCESS_NETWORK_STATE` is needed. Heat is known from API 29 on.
 */
public class AndroidSignals private constructor(
    private val application: Application,
    private val store: ConditionsStore
) : DeviceSignals by store {
    public constructor(application: Application) : this(
        application,
        ConditionsStore(
            Conditions(
                network = AndroidNetwork(application).current(),
                power = AndroidDevice.power(application),
                thermal = AndroidDevice.thermal(application)
            )
        )
    )

    private val network = AndroidNetwork(application)
    private val lifecycle = AndroidLifecycle { state ->
        store.update { it.copy(lifecycle = state) }
        if (state == LifecycleState.ACTIVE) relieve()
    }

    /** Follows the conditions until the process ends. Call once, on the main thread. */
    public fun start() {
        application.registerActivityLifecycleCallbacks(lifecycle)
        application.registerComponentCallbacks(MemoryCallbacks())
        network.follow { path -> store.update { it.copy(network = path) } }
        application.registerReceiver(BatteryReceiver(), IntentFilter(Intent.ACTION_BATTERY_CHANGED))
        val powerSave = IntentFilter(PowerManager.ACTION_POWER_SAVE_MODE_CHANGED)
        application.registerReceiver(PowerSaveReceiver(), powerSave)
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.Q) {
            val power = application.getSystemService(Context.POWER_SERVICE) as PowerManager
            power.addThermalStatusListener { status ->
                store.update { it.copy(thermal = PlatformMapping.thermalState(status)) }
            }
        }
    }

    /** The system reports pressure but not its end, so this asks for it. */
    private fun relieve() {
        val activities = application.getSystemService(Context.ACTIVITY_SERVICE) as ActivityManager
        val memory = ActivityManager.MemoryInfo()
        activities.getMemoryInfo(memory)
        if (!memory.lowMemory) store.update { it.copy(memory = MemoryPressure.NORMAL) }
    }

    private inner class MemoryCallbacks : ComponentCallbacks2 {
        override fun onTrimMemory(level: Int) {
            val pressure = PlatformMapping.memoryPressure(level)
            if (pressure != MemoryPressure.NORMAL) store.update { it.copy(memory = pressure) }
        }

        override fun onLowMemory() {
            store.update { it.copy(memory = MemoryPressure.CRITICAL) }
        }

        override fun onConfigurationChanged(configuration: Configuration) = Unit
    }

    private inner class BatteryReceiver : BroadcastReceiver() {
        override fun onReceive(context: Context, intent: Intent) {
            val level = intent.getIntExtra(BatteryManager.EXTRA_LEVEL, -1)
            val scale = intent.getIntExtra(BatteryManager.EXTRA_SCALE, -1)
            val source = PlatformMapping.powerSource(intent.getIntExtra(BatteryManager.EXTRA_STATUS, -1))
            store.update {
                val power = Power(PlatformMapping.batteryLevel(level, scale), source, it.power.isLowPowerMode)
                it.copy(power = power)
            }
            relieve()
        }
    }

    private inner class PowerSaveReceiver : BroadcastReceiver() {
        override fun onReceive(context: Context, intent: Intent) {
            val power = application.getSystemService(Context.POWER_SERVICE) as PowerManager
            store.update {
                it.copy(power = Power(it.power.level, it.power.source, power.isPowerSaveMode))
            }
        }
    }
}

/** Derives the app's lifecycle from that of its activities. */
internal class AndroidLifecycle(
    private val onChange: (LifecycleState) -> Unit
) : Application.ActivityLifecycleCallbacks {
    private var started = 0
    private var resumed = 0

    override fun onActivityStarted(activity: Activity) {
        started += 1
        if (resumed == 0) onChange(LifecycleState.INACTIVE)
    }

    override fun onActivityResumed(activity: Activity) {
        resumed += 1
        onChange(LifecycleState.ACTIVE)
    }

    override fun onActivityPaused(activity: Activity) {
        resumed -= 1
        if (resumed == 0) onChange(LifecycleState.INACTIVE)
    }

    override fun onActivityStopped(activity: Activity) {
        started -= 1
        if (started == 0 && !activity.isChangingConfigurations) onChange(LifecycleState.BACKGROUND)
    }

    override fun onActivityCreated(activity: Activity, state: Bundle?) = Unit

    override fun onActivitySaveInstanceState(activity: Activity, state: Bundle) = Unit

    override fun onActivityDestroyed(activity: Activity) = Unit
}
