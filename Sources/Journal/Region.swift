import Atomics

/// Mapped memory that records are appended to: a segment, or the definitions of a run.
///
///       0 +-----------------------------------------------+
///         | fixed header of the file, 64 bytes            |
///      64 +-----------------------------------------------+
///         | reserve u64: claims << 32 | end in words of 8 |  the one counter that producers add to
///      72 | sealed u64:  the same, when it became full    |
///         | 0 ...                                         |
///   start +-----------------------------------------------+
///         | record | record | record | ...                |
///     end +-----------------------------------------------+
struct Region: @unchecked Sendable {  // the atomics below order the accesses of producers and reader
    let base: UnsafeMutableRawPointer
    /// The offset of the first record.
    let start: Int
    /// The offset after the last byte that a record may occupy.
    let end: Int
    let salt: UInt64

    /// The result of claiming space.
    enum Claim {
        case made(offset: Int, ordinal: UInt32)
        case full
    }

    /// The number of claims and the end of the claimed space.
    struct Fill: Equatable {
        let raw: UInt64
        init(raw: UInt64) { self.raw = raw }
        init(claims: Int, end: Int) { raw = UInt64(claims) << 32 | UInt64(end / 8) }
        /// Reads it from the first bytes of a region, 72 or more.
        init(in bytes: [UInt8]) { raw = bytes[64..<72].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        var claims: Int { Int(raw >> 32) }
        var end: Int { Int(raw & 0xFFFF_FFFF) * 8 }
    }

    @inline(__always)
    func word(_ offset: Int) -> UnsafeAtomic<UInt64> {
        UnsafeAtomic(at: (base + offset).assumingMemoryBound(to: UnsafeAtomic<UInt64>.Storage.self))
    }

    @inline(__always) private var reserve: UnsafeAtomic<UInt64> { word(64) }
    @inline(__always) private var sealed: UnsafeAtomic<UInt64> { word(72) }

    /// Claims `size` bytes with one atomic add.
    ///
    /// Exactly one producer reaches the end: it finds room left, and takes or leaves the last of it. It stores the
    /// number of valid claims, because later claims keep increasing the reserve word.
    ///
    /// - Parameter isLast: Whether no region follows, so that producers retry a full region. They then read the word
    ///   before adding, so that it cannot grow without bound. Otherwise they add immediately, because reading first
    ///   would cost another transfer of the cache line between cores.
    @inline(__always)
    func claim(_ size: Int, isLast: Bool) -> Claim {
        if isLast, Fill(raw: reserve.load(ordering: .relaxed)).end >= end { return .full }
        let step = UInt64(1) << 32 | UInt64(size / 8)
        let before = Fill(raw: reserve.loadThenWrappingIncrement(by: step, ordering: .acquiring))
        let after = before.end + size
        if after < end { return .made(offset: before.end, ordinal: UInt32(truncatingIfNeeded: before.claims)) }
        guard before.end < end else { return .full }
        if after == end {
            sealed.store(Fill(claims: before.claims + 1, end: end).raw, ordering: .releasing)
            return .made(offset: before.end, ordinal: UInt32(truncatingIfNeeded: before.claims))
        }
        sealed.store(before.raw, ordering: .releasing)
        return .full
    }

    /// Writes a record into claimed space.
    @inline(__always)
    func write(_ payload: UnsafeRawBufferPointer, at offset: Int, sequence: UInt64, time: UInt64, labels: RecordLabels)
    {
        let frame = word(offset)
        let length = UInt32(truncatingIfNeeded: payload.count)
        frame.store(FrameWord(length: length, state: .reserved, offset: offset, salt: salt).raw, ordering: .releasing)
        let header = base + offset
        if let source = payload.baseAddress {
            (header + RecordFrame.headerSize).copyMemory(from: source, byteCount: payload.count)
        }
        header.storeBytes(of: sequence, toByteOffset: 8, as: UInt64.self)
        header.storeBytes(of: time, toByteOffset: 16, as: UInt64.self)
        let checksum = RecordFrame.checksum(payload, sequence: sequence, time: time, labels: labels)
        header.storeBytes(of: UInt64(checksum) | UInt64(labels.raw) << 32, toByteOffset: 24, as: UInt64.self)
        frame.store(
            FrameWord(length: length, state: .committed, offset: offset, salt: salt).raw, ordering: .releasing,
        )
    }

    /// The valid claims so far, and where they end.
    ///
    /// `nil` for the instant between the claim that reached the end and its store of the seal.
    var fill: Fill? {
        let fill = Fill(raw: reserve.load(ordering: .acquiring))
        if fill.end < end { return fill }
        let seal = sealed.load(ordering: .acquiring)
        return seal == 0 ? nil : Fill(raw: seal)
    }

    /// True if no more records can be added.
    var isSealed: Bool { sealed.load(ordering: .acquiring) != 0 }

    func frame(at offset: Int) -> FrameWord? {
        FrameWord(raw: word(offset).load(ordering: .acquiring), offset: offset, salt: salt)
    }

    /// Stores the outcome of a committed record.
    func acknowledge(at offset: Int, as outcome: JournalOutcome) {
        guard let frame = frame(at: offset), frame.state == .committed else { return }
        let completed = FrameWord(
            length: UInt32(truncatingIfNeeded: frame.length), state: .completed(outcome), offset: offset, salt: salt,
        )
        word(offset).store(completed.raw, ordering: .releasing)
    }

    func sequence(at offset: Int) -> UInt64 { base.load(fromByteOffset: offset + 8, as: UInt64.self) }
    func time(at offset: Int) -> UInt64 { base.load(fromByteOffset: offset + 16, as: UInt64.self) }
    func labels(at offset: Int) -> RecordLabels {
        RecordLabels(raw: base.load(fromByteOffset: offset + 28, as: UInt32.self))
    }

    func payload(at offset: Int, length: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + offset + RecordFrame.headerSize, count: length)
    }

    /// Returns true if the record matches its checksum.
    func isIntact(at offset: Int, length: Int) -> Bool {
        let checksum = RecordFrame.checksum(
            payload(at: offset, length: length), sequence: sequence(at: offset), time: time(at: offset),
            labels: labels(at: offset),
        )
        return checksum == base.load(fromByteOffset: offset + 24, as: UInt32.self)
    }

    /// Clears the region. Concurrent claims find it full; claims after `open` succeed.
    func clear() {
        let used = min(Fill(raw: reserve.load(ordering: .acquiring)).end, end)
        if used > start { (base + start).initializeMemory(as: UInt8.self, repeating: 0, count: used - start) }
        sealed.store(0, ordering: .releasing)
    }

    /// Maps the pages of an empty region that producers have not seen, so that their first stores need not.
    func touch() {
        for offset in stride(from: start, to: end, by: 4_096) {
            base.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self)
        }
    }

    /// Admits producers. Everything that they read must be written before.
    func open() {
        reserve.store(Fill(claims: 0, end: start).raw, ordering: .releasing)
    }
}
