/// The uploads of symbols that are under way: how many, whose, and what they have on disk.
struct UploadTable: Sendable {
    struct Limits: Sendable {
        /// The largest number of uploads at the same time.
        var atOnce = 4
        /// The largest number of uploads of one sender at the same time.
        var atOnceOfSender = 2
        /// The largest size on disk of all uploads that are under way, in bytes. The default is 4 GiB.
        var bytes = 4 << 30
    }

    private struct Upload {
        let sender: String
        var bytes = 0
    }

    private let limits: Limits
    private var uploads: [Int: Upload] = [:]
    private var lastNumber = 0
    /// The bytes of all uploads on disk.
    private(set) var bytes = 0

    var count: Int { uploads.count }

    init(limits: Limits) {
        self.limits = limits
    }

    /// Begins an upload. Returns its number, or `nil` if there are too many.
    mutating func begin(_ sender: String) -> Int? {
        let own = uploads.values.filter { $0.sender == sender }.count
        guard uploads.count < limits.atOnce, own < limits.atOnceOfSender else { return nil }
        lastNumber += 1
        uploads[lastNumber] = Upload(sender: sender)
        return lastNumber
    }

    /// Counts bytes of an upload before they are written. Returns `false` if all uploads would have too many.
    mutating func grow(_ number: Int, by count: Int) -> Bool {
        guard bytes + count <= limits.bytes else { return false }
        bytes += count
        uploads[number]?.bytes += count
        return true
    }

    mutating func end(_ number: Int) {
        bytes -= uploads.removeValue(forKey: number)?.bytes ?? 0
    }
}
