import AstrolabePlatform
import Atomics
import CAstrolabeChecksum

/// The main file of a run: its lock, header and definitions, and the counts of recycled segments.
///
/// ```
///      0 | magic "ASTRORUN"
///      8 | format version u32 | bytes of the file u32
///     16 | run id, 16 bytes
///     32 | start of the run u64, nanoseconds since 1970
///     40 | 0 u32 | CRC-32C of all of the above u32      all versions share the layout up to here
///     64 | reserve u64 | sealed u64                     of the records below
///     80 | appended, as of the last upkeep              a `CheckedCount`; 0 in files of older versions
///    128 | refused, one word for each reason: the count in both halves, to detect damage
///    168 | the sum of all refused                       a `CheckedCount`; 0 in files of older versions
///    192 | account A, 168 bytes:  generation u64 | slot and number of the segment that was added last u64
///        |                        claims u64 | torn u64 | completed u64 * 16 | CRC-32C u64
///    384 | account B              written alternately with A, so one of them is always intact
///    576 | records: kind 0 is the run's header, kind 1 a definition with its tag
/// ```
final class RunFile: @unchecked Sendable {  // atomics, and an account guarded by the reader's lock
    static let formatVersion: UInt32 = 1
    private static let magic = UInt64(littleEndian: 0x4E55_524F_5254_5341)
    private static let appended = 80
    private static let refusals = 128
    private static let refusalSum = 168
    /// The greatest count of refusals without a sum to compare it with. Words of equal bytes exceed it.
    private static let greatestRefusals = 0xFF_FFFF
    private static let accounts = (192, 384)
    private static let recordsStart = 576
    private static let headerKind: UInt8 = 0
    private static let definitionKind: UInt8 = 1
    static let minimumSize = 4_096

    private let memory: MappedMemory
    /// Holds the lock; `nil` for anonymous memory, and after `discard`.
    private let file: Locked<PrivateFile?>
    private let region: Region
    /// Bytes of the file that have disk space; the rest of the mapping is not accessed. Guarded by the definitions'
    /// lock.
    private var allocated: Int
    private var account = Account()
    /// The counts of segments in memory, which the stored account includes.
    private var volatile = SegmentCounts()

    /// The content of the fixed header.
    enum Reading: Equatable {
        case readable(started: UInt64)
        /// Written by a newer version of this library.
        case newer(version: UInt32)
        case unreadable
    }

    /// The counts of removed or recycled segments, and the last segment included.
    private struct Account {
        var generation: UInt64 = 0
        var last: UInt64 = 0
        var counts = SegmentCounts()
    }

    /// Maps the run's file; uses anonymous memory if there is no file.
    ///
    /// - Parameters:
    ///   - size: Bytes that the file may grow to.
    ///   - allocated: Bytes that the file is extended to now; `nil` for all.
    init(_ file: PrivateFile?, size: Int, allocated: Int? = nil, run: RunID) throws(SystemError) {
        self.file = Locked(file)
        self.allocated = file == nil ? size : allocated ?? size
        if let file {
            memory = try MappedMemory(file, size: size, allocated: allocated)
        } else {
            memory = try MappedMemory(anonymous: size)
        }
        region = Region(base: memory.base, start: Self.recordsStart, end: memory.size & ~7, salt: run.definitionSalt)
        let copies = [Self.accounts.0, Self.accounts.1].compactMap(readAccount(at:))
        account = copies.max { $0.generation < $1.generation } ?? Account()
    }

    /// Returns the bytes of a file that holds the header and `room` bytes of definitions.
    static func size(header: Int, room: Int) -> Int {
        max(minimumSize, pages(recordsStart + RecordFrame.size(length: header) + room))
    }

    private static func pages(_ bytes: Int) -> Int { (bytes + 4_095) & ~4_095 }

    func initialize(run: RunID, started: UInt64, header: [UInt8]) {
        let base = memory.base
        base.storeBytes(of: Self.magic, toByteOffset: 0, as: UInt64.self)
        base.storeBytes(of: Self.formatVersion, toByteOffset: 8, as: UInt32.self)
        base.storeBytes(of: UInt32(truncatingIfNeeded: memory.size), toByteOffset: 12, as: UInt32.self)
        base.storeBytes(of: run.high, toByteOffset: 16, as: UInt64.self)
        base.storeBytes(of: run.low, toByteOffset: 24, as: UInt64.self)
        base.storeBytes(of: started, toByteOffset: 32, as: UInt64.self)
        base.storeBytes(of: Self.checksum(base), toByteOffset: 44, as: UInt32.self)
        region.open()
        _ = add(header, kind: Self.headerKind, tag: 0)
    }

    /// Reads the fixed header; the memory must hold at least `minimumSize` bytes.
    func readHeader() -> Reading {
        let base = memory.base
        guard base.load(as: UInt64.self) == Self.magic,
            base.load(fromByteOffset: 44, as: UInt32.self) == Self.checksum(base)
        else { return .unreadable }
        let version = base.load(fromByteOffset: 8, as: UInt32.self)
        guard version <= Self.formatVersion else { return .newer(version: version) }
        return .readable(started: base.load(fromByteOffset: 32, as: UInt64.self))
    }

    private static func checksum(_ base: UnsafeMutableRawPointer) -> UInt32 { astrolabe_crc32c(0, base, 44) }

    /// True if the file still has a name in the file system; true for anonymous memory.
    var isLinked: Bool { file.withLock({ $0 })?.isLinked ?? true }

    /// Allows another process, or another journal of this process, to open the run.
    func unlock() { file.withLock({ $0 })?.unlock() }

    /// Closes the file and returns its memory. All counts are 0 from now on.
    func discard() {
        _ = file.exchange(nil)
        memory.discard()
    }

    /// Stores a definition; false if there is no room for it.
    ///
    /// If the disk is full, only this process knows it: the next run recovers records without their definition.
    func define(_ definition: [UInt8], as tag: UInt16) -> Bool {
        add(definition, kind: Self.definitionKind, tag: tag)
    }

    /// One caller at a time. Extends the file first, if necessary.
    private func add(_ bytes: [UInt8], kind: UInt8, tag: UInt16) -> Bool {
        let end = (region.fill?.end ?? region.end) + RecordFrame.size(length: bytes.count)
        guard end <= region.end else { return false }
        if let file = file.withLock({ $0 }), end > allocated {
            let size = min(Self.pages(end), memory.size)
            guard (try? file.fill(to: size)) != nil else { return true }
            allocated = size
        }
        return bytes.withUnsafeBytes { bytes in
            guard
                case .made(let offset, let ordinal) = region.claim(RecordFrame.size(length: bytes.count), isLast: true)
            else {
                return false
            }
            let labels = RecordLabels(kind: kind, priority: 0, tag: tag)
            region.write(bytes, at: offset, sequence: UInt64(ordinal), time: 0, labels: labels)
            return true
        }
    }

    /// Reads the run's header and its definitions by tag; damaged ones are omitted.
    func readDefinitions() -> (header: [UInt8]?, definitions: [UInt16: [UInt8]]) {
        var header: [UInt8]?
        var definitions: [UInt16: [UInt8]] = [:]
        for record in RegionScan(region).records {
            let bytes = Array(region.payload(at: record.offset, length: record.length))
            if record.labels.kind == Self.headerKind { header = bytes } else { definitions[record.labels.tag] = bytes }
        }
        return (header, definitions)
    }

    func countRefusal(_ reason: JournalRefusal, _ count: Int = 1) {
        let word = region.word(Self.refusals + 8 * Int(reason.rawValue))
        let count = UInt64(UInt32(clamping: count))
        region.word(Self.refusalSum).wrappingIncrement(by: CheckedCount.word(Int(count)), ordering: .relaxed)
        word.wrappingIncrement(by: count << 32 | count, ordering: .releasing)
    }

    /// The refusals of this process.
    var refused: [JournalRefusal: Int] {
        var counts: [JournalRefusal: Int] = [:]
        for reason in JournalRefusal.allCases {
            let word = region.word(Self.refusals + 8 * Int(reason.rawValue)).load(ordering: .relaxed)
            let count = min(word & 0xFFFF_FFFF, word >> 32)
            if count > 0 { counts[reason] = Int(count) }
        }
        return counts
    }

    /// The refusals of a run that has ended, whose file may be damaged.
    ///
    /// A count that damage has changed is replaced by what the sum has beyond the others, as of a journal that was not
    /// ready. It is omitted if the sum is damaged too.
    var checkedRefusals: [JournalRefusal: Int] {
        let sum = CheckedCount.count(region.word(Self.refusalSum).load(ordering: .relaxed)) ?? 0
        let greatest = sum > 0 ? sum : Self.greatestRefusals
        var counts: [JournalRefusal: Int] = [:]
        for reason in JournalRefusal.allCases {
            let word = region.word(Self.refusals + 8 * Int(reason.rawValue)).load(ordering: .relaxed)
            let count = Int(word & 0xFFFF_FFFF)
            if word >> 32 == word & 0xFFFF_FFFF, 1...greatest ~= count { counts[reason] = count }
        }
        guard sum > 0 else { return counts }
        let total = counts.values.reduce(0, +)
        if total > sum { return [.notReady: sum] }
        // A kill between the two additions leaves a difference too.
        if total < sum { counts[.notReady, default: 0] += sum - total }
        return counts
    }

    /// The counts of recycled or removed segments.
    var retired: SegmentCounts { account.counts }

    /// Returns true if the segment is already counted although a kill prevented clearing its file.
    func hasRetired(slot: Int, number: UInt32) -> Bool {
        account.generation > 0 && account.last == SegmentRing.Link(number: number, slot: slot).raw
    }

    /// Adds a segment to the counts, before it is cleared.
    func retire(_ counts: SegmentCounts, slot: Int, number: UInt32, isInFile: Bool = true) {
        account.last = SegmentRing.Link(number: number, slot: slot).raw
        account.counts += counts
        // `note` follows with those that are left.
        if !isInFile { volatile = SegmentCounts() }
        writeAccount()
    }

    /// Stores the counts that the next run cannot find out by itself, if it does not find all segments.
    ///
    /// - Parameters:
    ///   - volatile: Those of segments in memory. Their pending records are lost with the process, so they are torn.
    ///   - appended: The records of segments in files.
    func note(volatile: SegmentCounts, appended: Int) {
        if volatile != self.volatile {
            self.volatile = volatile
            writeAccount()
        }
        let all = account.counts.claims + volatile.claims + appended
        region.word(Self.appended).store(CheckedCount.word(all), ordering: .releasing)
    }

    /// Counts records whose segment is missing or was shortened, if the segments that were found have `claims` records
    /// with those that were retired.
    func countMissing(found claims: Int) {
        let noted = CheckedCount.count(region.word(Self.appended).load(ordering: .acquiring)) ?? 0
        guard noted > claims else { return }
        account.counts += SegmentCounts(claims: noted - claims, torn: noted - claims)
        writeAccount()
    }

    /// Writes the account and its number to the older of its two places.
    private func writeAccount() {
        account.generation &+= 1
        let place = memory.base + (account.generation % 2 == 1 ? Self.accounts.0 : Self.accounts.1)
        (place + 160).storeBytes(of: 0, as: UInt64.self)
        var counts = account.counts
        counts += volatile
        let numbers = [
            account.generation, account.last, UInt64(clamping: counts.claims), UInt64(clamping: counts.torn),
        ]
        for (index, number) in numbers.enumerated() {
            place.storeBytes(of: number, toByteOffset: 8 * index, as: UInt64.self)
        }
        // All of them: those of segments in memory are included only until the segments are retired.
        for code in 0..<JournalOutcome.count {
            let count = JournalOutcome(rawValue: UInt8(code)).flatMap { counts.completed[$0] } ?? 0
            place.storeBytes(of: UInt64(clamping: count), toByteOffset: 32 + 8 * code, as: UInt64.self)
        }
        let checksum = UInt64(astrolabe_crc32c(0, place, 160)) | 1 << 32
        region.word(place - memory.base + 160).store(checksum, ordering: .releasing)
    }

    private func readAccount(at offset: Int) -> Account? {
        let place = memory.base + offset
        let checksum = UInt64(astrolabe_crc32c(0, place, 160)) | 1 << 32
        guard region.word(offset + 160).load(ordering: .acquiring) == checksum else { return nil }
        let number = { place.load(fromByteOffset: $0, as: UInt64.self) }
        var account = Account(generation: number(0), last: number(8))
        account.counts.claims = Int(clamping: number(16))
        account.counts.torn = Int(clamping: number(24))
        for code in 0..<JournalOutcome.count {
            let count = number(32 + 8 * code)
            guard count > 0, let outcome = JournalOutcome(rawValue: UInt8(code)) else { continue }
            account.counts.completed[outcome] = Int(clamping: count)
        }
        return account.counts.isPossible ? account : nil
    }
}
