import AstrolabeSeededRandomness

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A message of a process that will be killed, sent after each promise that it received.
package struct Message: Sendable {
    package enum Kind: UInt64, Sendable {
        /// The record with number `first` was appended, with sequence number `second` in the journal.
        case appended = 1
        /// The record with sequence number `first` is about to be acknowledged.
        case acknowledging = 2
        /// The record has been acknowledged.
        case acknowledged = 3
        /// Batch `first` is in the queue.
        case enqueued = 4
        /// The queue's record with payload `first` is about to be acknowledged.
        case removing = 5
        /// The record has been acknowledged.
        case removed = 6
    }

    package let kind: Kind
    package let first: UInt64
    package let second: UInt64

    package init(_ kind: Kind, _ first: UInt64, _ second: UInt64 = 0) {
        self.kind = kind
        self.first = first
        self.second = second
    }

    private static let size = 24

    /// Writes the message with one call, which a pipe performs atomically for short messages.
    package func send(to descriptor: Int32 = 1) -> Bool {
        var words = (kind.rawValue, first, second)
        return write(descriptor, &words, Self.size) == Self.size
    }

    /// Reads the next message; `nil` after the last.
    package static func receive(from descriptor: Int32) -> Message? {
        var words = (UInt64(0), UInt64(0), UInt64(0))
        let isWhole = withUnsafeMutableBytes(of: &words) { buffer in
            var filled = 0
            while filled < buffer.count {
                let count = read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return false }
                filled += count
            }
            return true
        }
        guard isWhole, let kind = Kind(rawValue: words.0) else { return nil }
        return Message(kind, words.1, words.2)
    }
}

/// Returns 0 to 1,500 bytes determined by a number.
package func payload(_ number: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: number)
    let count = Int(random.next() % 1_501)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
}
