package astrolabe.queue

/**
 * The limits of the queue; the defaults are those of the Swift SDK.
 *
 * @property maximumRecords Default 10,000.
 * @property maximumBytes Payload bytes. Default 20 MiB; with records of 2.5 kB the file and its log have 38 MB.
 * @property maximumRecordBytes Bytes of one record. Default 1 MiB, because a cursor of Android holds at most 2 MB.
 * @property maximumAge Nanoseconds for which a record waits, by a monotonic clock that counts while the device is on;
 * up to a 168th less. Default 7 days.
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
 * The queue's clock, injected so that tests control the time. The queue reads no wall clock, which may be set.
 *
 * @property steady Nanoseconds on a monotonic clock, the same for all processes since boot, for leases and the ages of
 * records.
 * @property boot The boot that `steady` counts from; empty if it is not known.
 */
public class QueueClock(
    public val steady: () -> Long,
    public val boot: () -> String
) {
    public companion object {
        /** The clocks of a Java virtual machine, which does not know the boot. Android has its own. */
        public val system: QueueClock = QueueClock(
            steady = { System.nanoTime() },
            boot = { "" }
        )

        /** Nanoseconds since 1970, for the times of records, which decide their turn alone. */
        public fun wall(): Long = System.currentTimeMillis() * 1_000_000
    }
}

/** Nanoseconds. */
internal const val SECOND: Long = 1_000_000_000
