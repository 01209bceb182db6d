package astrolabe.policy

/**
 * The parameters of a policy; the defaults are those of the requirements.
 *
 * Values under which worse conditions would collect or send more are adjusted by [CollectionPolicy].
 *
 * @property samplingRates The share of traces kept in each mode before the factors below.
 * @property flushIntervals Seconds between two flushes in each mode.
 * @property replayFrameRates Frames per second of a session replay, if the app has one; 0 stops it.
 * @property largeMemoryGB Installed memory from which a device counts as large.
 * @property lowBatteryLevel Below this level a battery without external power is low.
 * @property criticalBatteryLevel Below this level a battery without external power is critical.
 * @property heatFactor Applies to the thermal states serious and critical.
 * @property uploadsOnCellular Whether telemetry may use expensive networks.
 * @property isCollectorLocal Whether the collector runs on this machine, so that no network is needed.
 * @property breadcrumbLimit Maximum breadcrumbs kept without memory pressure.
 * @property replayFrameLimit Maximum replay frames per minute without memory pressure.
 */
public data class PolicyConfiguration(
    public val samplingRates: ModeTable<Double> = ModeTable(1.0, 0.1, 0.05, 0.0),
    public val flushIntervals: ModeTable<Double> = ModeTable(15.0, 30.0, 60.0, 120.0),
    public val admission: Admission = Admission.STANDARD,
    public val replayFrameRates: ModeTable<Double> = ModeTable(4.0, 2.0, 0.5, 0.0),
    public val largeMemoryGB: Double = 6.0,
    public val lowBatteryLevel: Double = 0.2,
    public val criticalBatteryLevel: Double = 0.1,
    public val largeMemoryFactor: Double = 1.5,
    public val lowPowerModeFactor: Double = 0.5,
    public val heatFactor: Double = 0.25,
    public val lowBatteryFactor: Double = 0.5,
    public val uploadsOnCellular: Boolean = true,
    public val isCollectorLocal: Boolean = false,
    public val breadcrumbLimit: Int = 100,
    public val replayFrameLimit: Int = 240
) {
    /** Returns a copy with every value in range and every table monotonic from full to minimal mode. */
    public fun bounded(): PolicyConfiguration {
        val lowBattery = share(lowBatteryLevel)
        return copy(
            samplingRates = samplingRates.map(::share).ordered { a, b -> minOf(a, b) },
            flushIntervals = flushIntervals.map { minOf(maxOf(it, 1.0), 86_400.0) }.ordered { a, b -> maxOf(a, b) },
            replayFrameRates = replayFrameRates.map { if (it > 0) minOf(it, 60.0) else 0.0 }
                .ordered { a, b -> minOf(a, b) },
            largeMemoryFactor = if (largeMemoryFactor >= 1) largeMemoryFactor else 1.0,
            lowPowerModeFactor = share(lowPowerModeFactor),
            heatFactor = share(heatFactor),
            lowBatteryFactor = share(lowBatteryFactor),
            lowBatteryLevel = lowBattery,
            criticalBatteryLevel = minOf(share(criticalBatteryLevel), lowBattery),
            breadcrumbLimit = maxOf(0, breadcrumbLimit),
            replayFrameLimit = maxOf(0, replayFrameLimit)
        )
    }

    /** Returns a copy with the values that a remote document names. */
    internal fun following(remote: RemotePolicy): PolicyConfiguration = copy(
        samplingRates = samplingRates.replaced(remote.samplingRates),
        flushIntervals = flushIntervals.replaced(remote.flushIntervals),
        admission = remote.admission ?: admission
    )

    /** Bounds a value to 0...1; NaN becomes 0. */
    private fun share(value: Double): Double = if (value > 0) minOf(value, 1.0) else 0.0
}
