package astrolabe.queue

/**
 * The limits of the queue; the defaults are those of the Swift SDK.
 *
 * @property maximumRecords Default 10,000.
 * @property maximumBytes Payload bytes. Default 20 MiB; the file may be slightly larger.
 * @property maximumRecordBytes Bytes of one record. Default 1 MiB, because a cursor of Android holds at most 2 MB.
 * @property maximumAge Nanoseconds from a record's time to its expiry. Default 7 days.
 * @property maximumFailedAttempts One more failed attempt drops a record. Default 5.
 * @property leaseDuration Nanoseconds after which a lease expires even if its owner is alive. Default 5 minutes.
 */
public data class QueueConfiguration(
    public val maximumRecords: Int = 10_000,
    public val maximumBytes: Long = 20_971_520,
    public val maximumRecordBytes: Int = 1_048_576,
    public val maximumAge: Long = 7 * 86_400 * SECOND,
    public val maximumFailedAttempts: Int = 5,
    public val leaseDuration: Long = 300 * SECOND
)

/**
 * The queue's clocks, injected so that tests control the time.
 *
 * @property wall Nanoseconds since 1970, for the age of records.
 * @property steady Nanoseconds on a monotonic clock, the same for all processes since boot, for leases.
 * @property boot The boot that `steady` counts from; empty if it is not known.
 */
public class QueueClock(
    public val wall: () -> Long,
    public val steady: () -> Long,
    public val boot: () -> String
) {
    public companion object {
        /** The clocks of a Java virtual machine, which does not know the boot. Android has its own. */
        public val system: QueueClock = QueueClock(
            wall = { System.currentTimeMillis() * 1_000_000 },
            steady = { System.nanoTime() },
            boot = { "" }
        )
    }
}

/** Nanoseconds. */
internal const val SECOND: Long = 1_000_000_000
