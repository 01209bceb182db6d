package astrolabe.android

import android.app.ActivityManager
import android.content.Context
import android.content.Intent
import android.content.IntentFilter
import android.content.res.Configuration
import android.os.BatteryManager
import android.os.Build
import android.os.PowerManager
import android.telephony.TelephonyManager
import android.util.DisplayMetrics
import astrolabe.conditions.DeviceContext
import astrolabe.conditions.Guard
import astrolabe.conditions.Orientation
import astrolabe.conditions.PlatformMapping
import astrolabe.conditions.Power
import astrolabe.conditions.PowerSource
import astrolabe.conditions.ThermalState
import java.util.Locale
import java.util.TimeZone

/** Reads the description of the device and the app. */
public object AndroidDevice {
    /** Returns the description. What the device does not say is unknown: empty, zero, or normal. */
    public fun context(context: Context, onDiagnostic: (String) -> Unit = ::logWarning): DeviceContext {
        val guard = Guard(onDiagnostic)
        val metrics = guard.call("Reading the screen", { DisplayMetrics() }) { context.resources.displayMetrics }
        val density = metrics.density.toDouble()
        val memory = guard.call("Reading the memory", { null }) {
            memoryInfo(context)
        }
        val (version, build) = guard.call("Reading the version", { Pair("", "") }) { versions(context) }
        return DeviceContext(
            osVersion = Build.VERSION.RELEASE,
            sdkVersion = Build.VERSION.SDK_INT,
            deviceModel = Build.MODEL,
            deviceManufacturer = Build.MANUFACTURER,
            deviceBrand = Build.BRAND,
            screenWidthPx = metrics.widthPixels,
            screenHeightPx = metrics.heightPixels,
            screenDensity = if (density > 0) density else 1.0,
            isEmulator = isEmulator(),
            processorCount = Runtime.getRuntime().availableProcessors(),
            totalMemoryMB = (memory?.totalMem ?: 0) / (1_024 * 1_024),
            isLowRamDevice = guard.call("Reading the memory", { false }) { activities(context).isLowRamDevice },
            power = power(context, guard),
            thermal = thermal(context, guard),
            orientation = orientation(context, guard),
            locale = Locale.getDefault().toString(),
            timezone = TimeZone.getDefault().id,
            carrier = carrier(context, guard),
            appVersion = version,
            buildNumber = build
        )
    }

    private fun activities(context: Context): ActivityManager =
        context.getSystemService(Context.ACTIVITY_SERVICE) as ActivityManager

    internal fun memoryInfo(context: Context): ActivityManager.MemoryInfo =
        ActivityManager.MemoryInfo().also { activities(context).getMemoryInfo(it) }

    internal fun power(context: Context): PowerManager = context.getSystemService(Context.POWER_SERVICE) as PowerManager

    /**
     * The battery and Battery Saver now. What the device does not report is unknown.
     *
     * @param known The report of the battery; `null` to ask for the last one.
     */
    internal fun power(
        context: Context,
        guard: Guard,
        known: Intent? = null,
        isSaving: Boolean = isSaving(context, guard)
    ): Power = guard.call("Reading the battery", { Power(isLowPowerMode = isSaving) }) {
        val report = known ?: context.registerReceiver(null, IntentFilter(Intent.ACTION_BATTERY_CHANGED))
        fun number(name: String): Int = report?.getIntExtra(name, -1) ?: -1
        val isPlugged = number(BatteryManager.EXTRA_PLUGGED) > 0
        Power(
            PlatformMapping.batteryLevel(number(BatteryManager.EXTRA_LEVEL), number(BatteryManager.EXTRA_SCALE)),
            PlatformMapping.powerSource(number(BatteryManager.EXTRA_STATUS), isPlugged),
            isSaving
        )
    }

    private fun isSaving(context: Context, guard: Guard): Boolean =
        guard.call("Reading Battery Saver", { false }) { power(context).isPowerSaveMode }

    internal fun thermal(context: Context, guard: Guard): ThermalState =
        guard.call("Reading the heat", { ThermalState.NOMINAL }) {
            if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.Q) {
                PlatformMapping.thermalState(power(context).currentThermalStatus)
            } else {
                ThermalState.NOMINAL
            }
        }

    private fun orientation(context: Context, guard: Guard): Orientation {
        val orientation = guard.call("Reading the orientation", { 0 }) { context.resources.configuration.orientation }
        return when (orientation) {
            Configuration.ORIENTATION_LANDSCAPE -> Orientation.LANDSCAPE
            Configuration.ORIENTATION_PORTRAIT -> Orientation.PORTRAIT
            else -> Orientation.UNKNOWN
        }
    }

    private fun carrier(context: Context, guard: Guard): String? = guard.call("Reading the carrier", { null }) {
        val telephony = context.getSystemService(Context.TELEPHONY_SERVICE) as? TelephonyManager
        telephony?.networkOperatorName?.takeIf { it != "" }
    }

    private fun versions(context: Context): Pair<String, String> {
        val info = context.packageManager.getPackageInfo(context.packageName, 0)
        val version = info.versionName ?: ""
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) {
            return Pair(version, info.longVersionCode.toString())
        }
        @Suppress("DEPRECATION")
        return Pair(version, info.versionCode.toString())
    }

    private fun isEmulator(): Boolean = Build.FINGERPRINT.startsWith("generic") ||
        Build.FINGERPRINT.startsWith("unknown") ||
        listOf("google_sdk", "Emulator", "Android SDK built for x86").any { it in Build.MODEL } ||
        "Genymotion" in Build.MANUFACTURER ||
        listOf("sdk_google", "sdk_gphone", "vbox86p").any { it in Build.PRODUCT }
}
