package astrolabe.android

import android.app.ActivityManager
import android.content.Context
import android.content.res.Configuration
import android.os.BatteryManager
import android.os.Build
import android.os.PowerManager
import android.telephony.TelephonyManager
import astrolabe.conditions.DeviceContext
import astrolabe.conditions.Orientation
import astrolabe.conditions.PlatformMapping
import astrolabe.conditions.Power
import astrolabe.conditions.PowerSource
import astrolabe.conditions.ThermalState
import java.util.Locale
import java.util.TimeZone

/** Reads the description of the device and the app. */
public object AndroidDevice {
    public fun context(context: Context): DeviceContext {
        val metrics = context.resources.displayMetrics
        val activities = context.getSystemService(Context.ACTIVITY_SERVICE) as ActivityManager
        val memory = ActivityManager.MemoryInfo()
        activities.getMemoryInfo(memory)
        val carrier = (context.getSystemService(Context.TELEPHONY_SERVICE) as? TelephonyManager)?.networkOperatorName
        val orientation = when (context.resources.configuration.orientation) {
            Configuration.ORIENTATION_LANDSCAPE -> Orientation.LANDSCAPE
            Configuration.ORIENTATION_PORTRAIT -> Orientation.PORTRAIT
            else -> Orientation.UNKNOWN
        }
        val (version, build) = versions(context)
        return DeviceContext(
            osVersion = Build.VERSION.RELEASE,
            sdkVersion = Build.VERSION.SDK_INT,
            deviceModel = Build.MODEL,
            deviceManufacturer = Build.MANUFACTURER,
            deviceBrand = Build.BRAND,
            screenWidthPx = metrics.widthPixels,
            screenHeightPx = metrics.heightPixels,
            screenDensity = metrics.density.toDouble(),
            isEmulator = isEmulator(),
            processorCount = Runtime.getRuntime().availableProcessors(),
            totalMemoryMB = memory.totalMem / (1_024 * 1_024),
            isLowRamDevice = activities.isLowRamDevice,
            power = power(context),
            thermal = thermal(context),
            orientation = orientation,
            locale = Locale.getDefault().toString(),
            timezone = TimeZone.getDefault().id,
            carrier = if (carrier.isNullOrEmpty()) null else carrier,
            appVersion = version,
            buildNumber = build
        )
    }

    /** The battery and Battery Saver now. A level that the device does not report is unknown. */
    internal fun power(context: Context): Power {
        val battery = context.getSystemService(Context.BATTERY_SERVICE) as BatteryManager
        val powerManager = context.getSystemService(Context.POWER_SERVICE) as PowerManager
        val level = battery.getIntProperty(BatteryManager.BATTERY_PROPERTY_CAPACITY)
        val source = if (battery.isCharging) PowerSource.CHARGING else PowerSource.UNPLUGGED
        return Power(PlatformMapping.batteryLevel(level, 100), source, powerManager.isPowerSaveMode)
    }

    internal fun thermal(context: Context): ThermalState {
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.Q) {
            val powerManager = context.getSystemService(Context.POWER_SERVICE) as PowerManager
            return PlatformMapping.thermalState(powerManager.currentThermalStatus)
        }
        return ThermalState.NOMINAL
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
