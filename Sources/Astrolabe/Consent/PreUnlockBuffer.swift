import AstrolabeTelemetryModel

/// Records that wait in memory until there is a journal: see ``Telemetry/beginWhenUnlocked(_:)``.
struct PreUnlockBuffer {
    static let maximumRecords = 2_000
    static let maximumBytes = 1_048_576

    private(set) var records: [(bytes: [UInt8], header: RecordHeader)] = []
    /// The number of records that had no room.
    private(set) var refused = 0
    private var size = 0

    var isEmpty: Bool { records.isEmpty && refused == 0 }

    mutating func add(_ bytes: UnsafeRawBufferPointer, header: RecordHeader) {
        // Those of sampled-out traces, which may never be sent, leave half of the room to others.
        let share = header.isSampledOut ? 2 : 1
        guard records.count < Self.maximumRecords / share, size + bytes.count <= Self.maximumBytes / share else {
            refused += 1
            return
        }
        size += bytes.count
        records.append((Array(bytes), header))
    }
}
