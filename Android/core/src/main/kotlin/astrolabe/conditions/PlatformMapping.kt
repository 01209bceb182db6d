package astrolabe.conditions

/**
 * The meaning of the platform's constants.
 *
 * Their numbers are part of the platform's API and never change. The core maps them so that a test on any machine can.
 */
public object PlatformMapping {
    /**
     * The pressure that a level of `ComponentCallbacks2.onTrimMemory` stands for.
     *
     * `TRIM_MEMORY_RUNNING_MODERATE` (5) and `TRIM_MEMORY_RUNNING_LOW` (10) are warnings, and
     * `TRIM_MEMORY_RUNNING_CRITICAL` (15) is critical. `TRIM_MEMORY_UI_HIDDEN` (20) says nothing about memory. Of an
     * app in the background, 40 and 60 are warnings, and `TRIM_MEMORY_COMPLETE` (80) is critical.
     */
    public fun memoryPressure(trimLevel: Int): MemoryPressure = when {
        trimLevel < 5 || trimLevel in 20..39 -> MemoryPressure.NORMAL
        trimLevel in 15..19 || trimLevel >= 80 -> MemoryPressure.CRITICAL
        else -> MemoryPressure.WARNING
    }

    /** The thermal state that a status of `PowerManager.getCurrentThermalStatus` (0 to 6) stands for. */
    public fun thermalState(status: Int): ThermalState = when {
        status <= 0 -> ThermalState.NOMINAL
        status == 1 -> ThermalState.FAIR
        status <= 3 -> ThermalState.SERIOUS
        else -> ThermalState.CRITICAL
    }

    /** The power source that `BatteryManager.EXTRA_STATUS` (1 to 5) stands for. */
    public fun powerSource(batteryStatus: Int): PowerSource = when (batteryStatus) {
        2 -> PowerSource.CHARGING
        3, 4 -> PowerSource.UNPLUGGED
        5 -> PowerSource.FULL
        else -> PowerSource.UNKNOWN
    }

    /** The charge that `EXTRA_LEVEL` and `EXTRA_SCALE` stand for; `null` if either is missing. */
    public fun batteryLevel(level: Int, scale: Int): Double? =
        if (level >= 0 && scale > 0) level.toDouble() / scale else null
}
