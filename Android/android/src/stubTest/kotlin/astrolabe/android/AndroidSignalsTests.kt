package astrolabe.android

import android.content.Intent
import android.net.ConnectivityManager
import android.net.NetworkCapabilities
import android.os.Build
import android.os.PowerManager
import astrolabe.conditions.Medium
import astrolabe.conditions.MemoryPressure
import astrolabe.conditions.NetworkPath
import astrolabe.conditions.Power
import astrolabe.conditions.PowerSource
import astrolabe.conditions.ThermalState
import astrolabe.stubs.FakeDevice
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

class AndroidSignalsTests : AndroidTest() {
    private fun callback(call: ConnectivityManager.NetworkCallback.() -> Unit) {
        for (callback in device.networkCallbacks) callback.call()
    }

    private fun broadcast(action: String, intent: Intent = Intent()) {
        device.receivers.getValue(action).onReceive(application, intent)
    }

    /** Everything that an app calls in `Application.onCreate`, and what the scheduler calls later. */
    private fun useEverything() {
        val signals = signals()
        signals.start()
        signals.refresh()
        callback {
            onAvailable(device.network)
            onCapabilitiesChanged(device.network, device.capabilities)
        }
        show(android.app.Activity()).also { leave(android.app.Activity()) }
        device.advance(1_000)
        for (action in device.receivers.keys) broadcast(action)
        AndroidDevice.context(application) { diagnostics.add(it) }
        FlushJobService.schedule(application, FlushJobService::class.java)
        AndroidClock.queueClock(application) { diagnostics.add(it) }.boot()
    }

    @Test
    fun `no call of the platform that fails reaches the app, and each is reported once`() {
        for (level in listOf(24, 34)) {
            replaceDevice()
            Build.VERSION.SDK_INT = level
            useEverything()
            assertEquals(emptyList<String>(), diagnostics)
            val calls = device.calls.toList()
            assertTrue("$calls", calls.size >= 20)
            for (call in calls) {
                replaceDevice()
                Build.VERSION.SDK_INT = level
                diagnostics.clear()
                device.failures[call] = SecurityException("Package android does not belong to 10123")
                useEverything()
                val found = diagnostics + device.log
                assertTrue("$call at level $level: $found", found.isNotEmpty())
                // The signals and the description of the device report what both read.
                assertTrue("$call at level $level: $found", found.groupBy { it }.values.all { it.size <= 2 })
            }
            diagnostics.clear()
        }
    }

    @Test
    fun `a network that cannot be read counts as unknown, and one that cannot be followed is read before each flush`() {
        device.failures["getNetworkCapabilities"] = SecurityException()
        assertEquals(NetworkPath(Medium.UNKNOWN), signals().current.network)
        device.failures.clear()
        device.failures["registerDefaultNetworkCallback"] = SecurityException()
        device.network = null
        val signals = signals()
        signals.start()
        assertEquals(Medium.OFFLINE, signals.current.network.medium)
        device.network = android.net.Network()
        signals.refresh()
        assertEquals(Medium.WIFI, signals.current.network.medium)
    }

    @Test
    fun `transports and their price are the path of the network`() {
        val signals = signals().also { it.start() }
        val media = listOf(Medium.CELLULAR, Medium.WIFI, Medium.UNKNOWN, Medium.ETHERNET)
        for ((transport, medium) in media.withIndex()) {
            for (isMetered in listOf(true, false)) {
                val capabilities = NetworkCapabilities.fake(transport, isMetered)
                callback { onCapabilitiesChanged(device.network, capabilities) }
                assertEquals(NetworkPath(medium, isExpensive = isMetered), signals.current.network)
                device.capabilities = capabilities
                assertEquals(NetworkPath(medium, isExpensive = isMetered), signals().current.network)
            }
        }
    }

    @Test
    fun `a network that is lost or blocked is offline until it returns`() {
        val signals = signals().also { it.start() }
        callback { onCapabilitiesChanged(device.network, device.capabilities) }
        callback { onLost(device.network) }
        assertEquals(Medium.OFFLINE, signals.current.network.medium)
        callback { onCapabilitiesChanged(device.network, device.capabilities) }
        assertEquals(Medium.WIFI, signals.current.network.medium)
        callback { onBlockedStatusChanged(device.network, true) }
        callback { onCapabilitiesChanged(device.network, device.capabilities) }
        assertEquals(Medium.OFFLINE, signals.current.network.medium)
        callback { onBlockedStatusChanged(device.network, false) }
        assertEquals(Medium.WIFI, signals.current.network.medium)
    }

    @Test
    fun `Android 7 may say no more than that a network is available`() {
        device.network = null
        val signals = signals().also { it.start() }
        assertEquals(Medium.OFFLINE, signals.current.network.medium)
        device.network = android.net.Network()
        callback { onAvailable(device.network) }
        assertEquals(Medium.WIFI, signals.current.network.medium)
    }

    @Test
    fun `Data Saver that is switched on constrains the path at once`() {
        val signals = signals().also { it.start() }
        device.restrictBackgroundStatus = 3
        broadcast(ConnectivityManager.ACTION_RESTRICT_BACKGROUND_CHANGED)
        assertEquals(NetworkPath(Medium.WIFI, isConstrained = true), signals.current.network)
    }

    @Test
    fun `the battery, its charger and Battery Saver are followed`() {
        val signals = signals().also { it.start() }
        assertEquals(Power(0.8, PowerSource.UNPLUGGED), signals.current.power)
        broadcast(Intent.ACTION_BATTERY_CHANGED, battery(level = 14, status = 3))
        assertEquals(Power(0.14, PowerSource.UNPLUGGED), signals.current.power)
        broadcast(Intent.ACTION_BATTERY_CHANGED, battery(level = 80, status = 4, plugged = 1))
        assertEquals(Power(0.8, PowerSource.FULL), signals.current.power)
        device.battery = battery(level = 81, status = 2, plugged = 1)
        device.isPowerSaveMode = true
        broadcast(PowerManager.ACTION_POWER_SAVE_MODE_CHANGED)
        assertEquals(Power(0.81, PowerSource.CHARGING, isLowPowerMode = true), signals.current.power)
        broadcast(Intent.ACTION_BATTERY_CHANGED)
        assertEquals(Power(null, PowerSource.UNKNOWN, isLowPowerMode = true), signals.current.power)
    }

    @Test
    fun `heat is followed from level 29 on`() {
        device.thermalStatus = 3
        assertEquals(ThermalState.NOMINAL, signals().current.thermal)
        Build.VERSION.SDK_INT = 29
        val signals = signals().also { it.start() }
        assertEquals(ThermalState.SERIOUS, signals.current.thermal)
        for (listener in device.thermalListeners) listener.accept(4)
        assertEquals(ThermalState.CRITICAL, signals.current.thermal)
    }

    @Test
    fun `before level 34 the system reports pressure, and its end is asked for`() {
        Build.VERSION.SDK_INT = 33
        val signals = signals().also { it.start() }
        val found = listOf(10, 15, 40).map { level ->
            for (callbacks in device.componentCallbacks) callbacks.onTrimMemory(level)
            val reported = signals.current.memory
            device.isMemoryLow = true
            signals.refresh()
            assertEquals(reported, signals.current.memory)
            device.isMemoryLow = false
            signals.refresh()
            assertEquals(MemoryPressure.NORMAL, signals.current.memory)
            reported
        }
        assertEquals(listOf(MemoryPressure.WARNING, MemoryPressure.CRITICAL, MemoryPressure.WARNING), found)
        for (callbacks in device.componentCallbacks) callbacks.onLowMemory()
        assertEquals(MemoryPressure.CRITICAL, signals.current.memory)
    }

    @Test
    fun `from level 34 on a trip to the background is no pressure, and low memory is found before a flush`() {
        Build.VERSION.SDK_INT = 34
        val signals = signals().also { it.start() }
        for (level in listOf(20, 40)) {
            for (callbacks in device.componentCallbacks) callbacks.onTrimMemory(level)
            assertEquals(MemoryPressure.NORMAL, signals.current.memory)
        }
        device.isMemoryLow = true
        signals.refresh()
        assertEquals(MemoryPressure.CRITICAL, signals.current.memory)
        device.isMemoryLow = false
        signals.refresh()
        assertEquals(MemoryPressure.NORMAL, signals.current.memory)
    }

    @Test
    fun `the description of the device has what the device says, and a carrier that stays`() {
        Build.VERSION.SDK_INT = 34
        val context = AndroidDevice.context(application)
        assertEquals("Carrier", context.carrier)
        assertEquals(4.0, context.installedMemoryGB, 0.0)
        assertEquals(listOf("1.4.0", "42"), listOf(context.appVersion, context.buildNumber))
        assertEquals("Carrier", context.updated(signals().current).carrier)
        assertEquals(FakeDevice.current.log, emptyList<String>())
    }
}
