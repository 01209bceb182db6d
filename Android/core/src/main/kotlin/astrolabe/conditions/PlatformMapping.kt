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
     * app in the background, 40 and 60 are warnings, and `TRIM_MEMORY_COMPLETE` (80) is critical. From API level 34 on
     * the system reports 20 and 40 alone, each time that the app goes to the background, so no level says anything.
     */
    public fun memoryPressure(trimLevel: Int, apiLevel: Int): MemoryPressure = when {
        apiLevel >= SILENT_LEVEL || trimLevel < 5 || trimLevel in 20..39 -> MemoryPressure.NORMAL
        trimLevel in 15..19 || trimLevel >= 80 -> MemoryPressure.CRITICAL
        else -> MemoryPressure.WARNING
    }

    /**
     * The pressure that `ActivityManager.MemoryInfo.lowMemory` stands for.
     *
     * @param before The pressure until now. Below API level 34 the system reports it, but not its end.
     */
    public fun memoryPressure(isLow: Boolean, before: MemoryPressure, apiLevel: Int): MemoryPressure = when {
        !isLow -> MemoryPressure.NORMAL
        apiLevel >= SILENT_LEVEL -> MemoryPressure.CRITICAL
        else -> before
    }

    /** The first API level that does not report pressure. */
    private const val SILENT_LEVEL = 34

    /** The thermal state that a status of `PowerManager.getCurrentThermalStatus` (0 to 6) stands for. */
    public fun thermalState(status: Int): ThermalState = when {
        status <= 0 -> ThermalState.NOMINAL
        status == 1 -> ThermalState.FAIR
        status <= 3 -> ThermalState.SERIOUS
        else -> ThermalState.CRITICAL
    }

    /**
     * The power source that `BatteryManager.EXTRA_STATUS` (1 to 5) stands for.
     *
     * @param isPlugged Whether `EXTRA_PLUGGED` names a source. A battery that is plugged in and not charging (4) has
     *   reached a limit of the user's, such as 80 %.
     */
    public fun powerSource(batteryStatus: Int, isPlugged: Boolean): PowerSource = when (batteryStatus) {
        2 -> PowerSource.CHARGING
        3 -> PowerSource.UNPLUGGED
        4 -> if (isPlugged) PowerSource.FULL else PowerSource.UNPLUGGED
        5 -> PowerSource.FULL
        else -> PowerSource.UNKNOWN
    }

    /** The charge that `EXTRA_LEVEL` and `EXTRA_SCALE` stand for; `null` if either is missing. */
    public fun batteryLevel(level: Int, scale: Int): Double? =
        if (level >= 0 && scale > 0) level.toDouble() / scale else null
}
