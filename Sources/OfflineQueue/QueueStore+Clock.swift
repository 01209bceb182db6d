import AstrolabePlatform

/// A reading of both clocks.
struct ClockReading: Hashable {
    var wall: UInt64
    var steady: UInt64
    /// The boot that `steady` counts from; empty if it is not known.
    var boot: String

    init(_ clock: QueueClock) {
        wall = clock.wall()
        steady = clock.steady()
        boot = clock.boot()
    }

    /// The nanoseconds by which the wall clock was set forward since an earlier reading; negative if it was set back.
    ///
    /// Returns 0 for less than an hour, and if the readings are of different boots.
    func adjustment(since earlier: ClockReading) -> Int64 {
        guard !boot.isEmpty, boot == earlier.boot, steady >= earlier.steady else { return 0 }
        let passed = Int64(clamping: steady - earlier.steady)
        let adjustment = Int64(clamping: wall).subtractingReportingOverflow(Int64(clamping: earlier.wall)).partialValue
            .subtractingReportingOverflow(passed).partialValue
        return adjustment.magnitude >= 3_600_000_000_000 ? adjustment : 0
    }
}

/// By how much the times of records differ from the wall clock, because it was set after they were enqueued.
struct ClockShift: Hashable {
    /// The last id that the shift applies to.
    var lastID: Int64 = 0
    /// Nanoseconds to add to a record's time.
    var nanoseconds: Int64 = 0
}

extension QueueStore {
    private static let mark = "queue.clock"

    /// The state that is kept over restarts: the last reading, and the shift of the records until then.
    struct ClockState: Hashable {
        var reading: ClockReading
        var shift = ClockShift()
    }

    /// Returns the shift of waiting records. Notices if the wall clock was set since the last call, in this process or
    /// another of the same boot.
    func clockShift() throws(SQLiteFailure) -> ClockShift {
        let now = ClockReading(clock)
        if let known = clockState, known.reading.boot == now.boot, now.adjustment(since: known.reading) == 0,
            now.steady >= known.reading.steady, now.steady - known.reading.steady < 60_000_000_000
        {
            return known.shift
        }
        var state = try storedClockState() ?? ClockState(reading: now)
        let adjustment = now.adjustment(since: state.reading)
        if adjustment != 0 {
            let select = try database.statement("SELECT count(*) FROM records WHERE id <= ?1")
            defer { select.reset() }
            let hasShifted = try select.bind(1, state.shift.lastID).step() && select.int(0) > 0
            let before = hasShifted ? state.shift.nanoseconds : 0
            state.shift.nanoseconds = before.addingReportingOverflow(adjustment).partialValue
            state.shift.lastID = try database.number("SELECT last FROM ids")
        }
        state.reading = now
        clockState = state
        try apply(QueueChange(marks: [Self.mark: state.bytes]))
        return state.shift
    }

    private func storedClockState() throws(SQLiteFailure) -> ClockState? {
        let select = try database.statement("SELECT value FROM marks WHERE name = ?1")
        defer { select.reset() }
        return try select.bind(1, Self.mark).step() ? ClockState(select.bytes(0)) : nil
    }
}

extension QueueStore.ClockState {
    /// Wall, steady, last id and shift as u64 each, little-endian, and the boot's id.
    fileprivate var bytes: [UInt8] {
        let words = [
            reading.wall, reading.steady, UInt64(bitPattern: shift.lastID), UInt64(bitPattern: shift.nanoseconds),
        ]
        return words.littleEndianBytes + Array(reading.boot.utf8)
    }

    fileprivate init?(_ bytes: [UInt8]) {
        guard bytes.count >= 32 else { return nil }
        let words = [UInt64](littleEndian: Array(bytes[..<32]))
        reading = ClockReading(wall: words[0], steady: words[1], boot: String(decoding: bytes[32...], as: UTF8.self))
        shift = ClockShift(lastID: Int64(bitPattern: words[2]), nanoseconds: Int64(bitPattern: words[3]))
    }
}

extension ClockReading {
    fileprivate init(wall: UInt64, steady: UInt64, boot: String) {
        (self.wall, self.steady, self.boot) = (wall, steady, boot)
    }
}
