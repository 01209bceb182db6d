package astrolabe.conditions

import kotlin.math.ceil

/** The orientation of the device. */
public enum class Orientation(public val value: String) {
    PORTRAIT("portrait"),
    LANDSCAPE("landscapeLeft"),
    UNKNOWN("unknown")
}

/**
 * A description of the device and the app, and a snapshot of the device's state.
 *
 * The parts that change (power, heat, orientation, carrier) are those of the snapshot. [Conditions] has their current
 * values.
 *
 * @property sdkVersion The API level.
 * @property totalMemoryMB Memory that the system reports in binary megabytes, slightly less than installed.
 * @property buildNumber The version code. Empty if not known.
 */
public data class DeviceContext(
    public val osVersion: String,
    public val sdkVersion: Int,
    public val deviceModel: String,
    public val deviceManufacturer: String,
    public val deviceBrand: String,
    public val screenWidthPx: Int,
    public val screenHeightPx: Int,
    public val screenDensity: Double,
    public val isEmulator: Boolean,
    public val processorCount: Int,
    public val totalMemoryMB: Long,
    public val isLowRamDevice: Boolean = false,
    public val power: Power = Power(),
    public val thermal: ThermalState = ThermalState.NOMINAL,
    public val orientation: Orientation = Orientation.UNKNOWN,
    public val locale: String,
    public val timezone: String,
    public val carrier: String? = null,
    public val appVersion: String,
    public val buildNumber: String
) {
    public val platform: String get() = "android"

    /** The reported memory in binary gigabytes. */
    public val physicalMemoryGB: Double get() = totalMemoryMB / 1024.0

    /**
     * The installed memory: the reported memory rounded up to whole gigabytes.
     *
     * The kernel and the graphics reserve some memory, so a phone sold with 6 GB reports about 5.5.
     */
    public val installedMemoryGB: Double get() = ceil(physicalMemoryGB)

    /** Returns the context with its changing parts as they are in these conditions; a carrier not known there stays. */
    public fun updated(conditions: Conditions): DeviceContext = copy(
        power = conditions.power,
        thermal = conditions.thermal,
        carrier = conditions.network.carrierName ?: carrier
    )

    /**
     * Attributes that do not change while the process runs, for the resource. Unknown values are omitted.
     *
     * Values are `String`, `Long`, `Double` or `Boolean`. The screen is measured in density-independent pixels.
     */
    public val resourceAttributes: Map<String, Any>
        get() {
            val attributes = linkedMapOf<String, Any>(
                PREFIX + "platform" to platform,
                PREFIX + "is_simulator" to isEmulator,
                PREFIX + "processor_count" to processorCount.toLong(),
                PREFIX + "physical_memory_gb" to physicalMemoryGB,
                PREFIX + "is_low_ram" to isLowRamDevice,
                PREFIX + "screen.width" to screenWidthPx / screenDensity,
                PREFIX + "screen.height" to screenHeightPx / screenDensity,
                PREFIX + "screen.scale" to screenDensity,
                AttributeKey.OS_TYPE to "linux",
                "android.os.api_level" to sdkVersion.toString()
            )
            val texts = listOf(
                AttributeKey.OS_NAME to "Android",
                AttributeKey.OS_VERSION to osVersion,
                AttributeKey.DEVICE_MANUFACTURER to deviceManufacturer,
                AttributeKey.DEVICE_MODEL_IDENTIFIER to deviceModel,
                AttributeKey.DEVICE_MODEL_NAME to deviceModel,
                AttributeKey.SERVICE_VERSION to appVersion,
                AttributeKey.ASTROLABE_APP_BUILD_NUMBER to buildNumber,
                PREFIX + "brand" to deviceBrand,
                PREFIX + "locale" to locale,
                PREFIX + "timezone" to timezone
            )
            for ((name, text) in texts) if (text.isNotEmpty()) attributes[name] = text
            return attributes
        }

    /** Attributes that may change, for a record of this moment rather than for the resource. */
    public val momentAttributes: Map<String, Any>
        get() {
            val attributes = linkedMapOf<String, Any>(
                PREFIX + "low_power_mode" to power.isLowPowerMode,
                PREFIX + "thermal_state" to thermal.value,
                PREFIX + "battery.state" to power.source.value,
                PREFIX + "orientation" to orientation.value
            )
            power.level?.let { attributes[PREFIX + "battery.level"] = it }
            carrier?.let { attributes[AttributeKey.NETWORK_CARRIER_NAME] = it }
            return attributes
        }

    private companion object {
        const val PREFIX = "astrolabe.device."
    }
}
