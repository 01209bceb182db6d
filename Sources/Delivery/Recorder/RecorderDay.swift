/// The account of a day of UTC: promotions, and what the day's budget has refused.
///
/// Stored with the records, in the queue. The first line has the day, the bytes and the number of refused records. Each
/// further one has a trigger and its number of records.
struct RecorderDay: Equatable {
    /// Days since 1970.
    private let number: UInt64
    /// Bytes of the records that were promoted.
    var bytes = 0
    /// The number of records that had no room.
    var refused = 0
    /// The number of records that were promoted, by trigger.
    var promoted: [String: Int] = [:]

    /// Nanoseconds of a day.
    static let length: UInt64 = 86_400_000_000_000

    /// Reads what is stored. It is empty if that is of another day, or cannot be read.
    ///
    /// - Parameter now: Nanoseconds since 1970.
    init(at now: UInt64, stored: [UInt8]) {
        number = now / Self.length
        let lines = String(decoding: stored, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
        let head = lines.first?.compactMap { Int($0) } ?? []
        guard head.count == 3, UInt64(exactly: head[0]) == number else { return }
        (bytes, refused) = (head[1], head[2])
        for line in lines.dropFirst() where line.count == 2 { promoted[String(line[0])] = Int(line[1]) }
    }

    var stored: [UInt8] {
        let triggers = promoted.map { "\($0.key) \($0.value)" }
        return Array((["\(number) \(bytes) \(refused)"] + triggers).joined(separator: "\n").utf8)
    }
}
