package astrolabe.android

import android.app.ActivityManager
import android.app.Application
import android.content.BroadcastReceiver
import android.content.ComponentCallbacks2
import android.content.Context
import android.content.Intent
import android.content.IntentFilter
import android.content.res.Configuration
import android.net.ConnectivityManager
import android.os.Build
import android.os.Handler
import android.os.Looper
import android.os.PowerManager
import astrolabe.conditions.Conditions
import astrolabe.conditions.ConditionsStore
import astrolabe.conditions.DeviceSignals
import astrolabe.conditions.Guard
import astrolabe.conditions.LifecycleState
import astrolabe.conditions.MemoryPressure
import astrolabe.conditions.PlatformMapping

/**
 * The conditions of the device, from the platform's services.
 *
 *     val signals = AndroidSignals(application)
 *     signals.start()    // in Application.onCreate
 *
 * No call of the platform fails the app. A part that cannot be read has its neutral value, as [Conditions] has it. A
 * network that cannot be followed is read before each flush; another part stays as it is. The manifest of this library
 * has the permissions `ACCESS_NETWORK_STATE` and `INTERNET`. Heat is known from API level 29 on.
 *
 * @param onDiagnostic Called once for each call that fails, on any thread. Default: the device's log.
 */
public class AndroidSignals private constructor(
    private val application: Application,
    private val guard: Guard,
    private val network: AndroidNetwork,
    private val store: ConditionsStore
) : DeviceSignals by store {
    private constructor(application: Application, guard: Guard, network: AndroidNetwork) : this(
        application, guard, network,
        ConditionsStore(
            Conditions(
                network = network.current(),
                power = AndroidDevice.power(application, guard),
                thermal = AndroidDevice.thermal(application, guard),
                lifecycle = firstState(guard)
            )
        )
    )

    private constructor(application: Application, guard: Guard) :
        this(application, guard, AndroidNetwork(application, guard))

    public constructor(application: Application, onDiagnostic: (String) -> Unit = ::logWarning) :
        this(application, Guard(onDiagnostic))

    /** Follows the conditions until the process ends. Call once, on the main thread, as early as you like. */
    public fun start() {
        val lifecycle = AndroidLifecycle(::later) { state -> store.update { it.copy(lifecycle = state) } }
        guard.run("Following activities") { application.registerActivityLifecycleCallbacks(lifecycle) }
        guard.run("Following memory") { application.registerComponentCallbacks(MemoryCallbacks()) }
        network.follow { path -> store.update { it.copy(network = path) } }
        receive(Intent.ACTION_BATTERY_CHANGED) { intent ->
            store.update {
                it.copy(power = AndroidDevice.power(application, guard, intent, it.power.isLowPowerMode))
            }
        }
        receive(PowerManager.ACTION_POWER_SAVE_MODE_CHANGED) {
            val power = AndroidDevice.power(application, guard)
            store.update { it.copy(power = power) }
        }
        receive(ConnectivityManager.ACTION_RESTRICT_BACKGROUND_CHANGED) {
            val isConstrained = network.isConstrained()
            store.update { it.copy(network = it.network.copy(isConstrained = isConstrained)) }
        }
        guard.run("Following heat") {
            if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.Q) {
                AndroidDevice.power(application).addThermalStatusListener { status ->
                    store.update { it.copy(thermal = PlatformMapping.thermalState(status)) }
                }
            }
        }
    }

    /**
     * Asks for the memory, whose pressure Android 14 and later no longer report, and earlier versions never the end of;
     * and for a network that cannot be followed.
     */
    override fun refresh() {
        if (!network.isFollowed) {
            val path = network.current()
            store.update { it.copy(network = path) }
        }
        guard.run("Reading the memory") {
            val memory = AndroidDevice.memoryInfo(application)
            store.update {
                val pressure = PlatformMapping.memoryPressure(memory.lowMemory, it.memory, Build.VERSION.SDK_INT)
                it.copy(memory = pressure)
            }
        }
    }

    private fun later(work: () -> Unit) = guard.call("Waiting on the main thread", work) {
        Handler(Looper.getMainLooper()).postDelayed(work, AndroidLifecycle.HOLD_BACK)
        Unit
    }

    private fun receive(action: String, body: (Intent) -> Unit) = guard.run("Receiving $action") {
        val receiver = object : BroadcastReceiver() {
            override fun onReceive(context: Context, intent: Intent) = guard.run("Reading $action") { body(intent) }
        }
        application.registerReceiver(receiver, IntentFilter(action))
    }

    private inner class MemoryCallbacks : ComponentCallbacks2 {
        override fun onTrimMemory(level: Int) {
            val pressure = PlatformMapping.memoryPressure(level, Build.VERSION.SDK_INT)
            if (pressure != MemoryPressure.NORMAL) store.update { it.copy(memory = pressure) }
        }

        override fun onLowMemory() {
            store.update { it.copy(memory = MemoryPressure.CRITICAL) }
        }

        override fun onConfigurationChanged(configuration: Configuration) = Unit
    }

    private companion object {
        /** A push or a job starts a process that is not in the foreground, and perhaps never will be. */
        fun firstState(guard: Guard): LifecycleState =
            guard.call("Reading the process's state", { LifecycleState.LAUNCHING }) {
                val state = ActivityManager.RunningAppProcessInfo()
                ActivityManager.getMyMemoryState(state)
                val isInFront = state.importance == ActivityManager.RunningAppProcessInfo.IMPORTANCE_FOREGROUND
                if (isInFront) LifecycleState.LAUNCHING else LifecycleState.BACKGROUND
            }
    }
}
