import AstrolabePlatform
import CAstrolabeChecksum

/// The counts of the last transactions, kept in a file of their own beside the database.
///
/// SQLite ends its log without an error at the first damaged frame, so the transactions behind it are gone and the
/// database does not show it. The counts here show how many records they had added.
///
///     0 | magic u64 | enqueued u64 | left u64 | CRC-32C of all of the above u32 | 0 u32
///
/// The file is written after each commit without synchronization, so it may be behind the database but never ahead.
struct QueueWitness {
    /// The counts of a committed state.
    struct Counts: Equatable {
        /// Records that were ever enqueued.
        var enqueued: Int
        /// Those that are no longer in the queue.
        var left: Int
    }

    private let path: String
    private static let magic = UInt64(littleEndian: 0x5354_4E55_4F43_5351)

    init(of database: String) {
        path = Self.path(of: database)
    }

    private static func path(of database: String) -> String { database + "-counts" }

    static func remove(of database: String) {
        PrivateFiles.removeFile(path(of: database))
    }

    /// `nil` if there is no file, or if it is damaged.
    func read() -> Counts? {
        guard PrivateFiles.modified(path) != nil, let file = try? PrivateFile(path) else { return nil }
        guard let bytes = file.read(32), bytes.count == 32 else { return nil }
        let words = [UInt64](littleEndian: bytes)
        guard words[0] == Self.magic, words[3] == Self.checksum(bytes) else { return nil }
        return Counts(enqueued: Int(clamping: words[1]), left: Int(clamping: words[2]))
    }

    func write(_ counts: Counts) {
        var bytes = [Self.magic, UInt64(clamping: counts.enqueued), UInt64(clamping: counts.left)].littleEndianBytes
        bytes += [Self.checksum(bytes)].littleEndianBytes
        // Without it, damage to the log is not counted; nothing else depends on it.
        try? PrivateFile(path).write(bytes)
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt64 {
        UInt64(bytes.withUnsafeBytes { astrolabe_crc32c(0, $0.baseAddress, 24) })
    }
}
