#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// One report to the parent. The pipe takes it whole or not at all, since it is shorter than `PIPE_BUF`.
struct Message {
    enum Kind: UInt64 {
        /// The record of thread `a`, number `b`, was appended: sequence `c` is in the second word.
        case appended = 1
        /// The record with sequence `a` is about to be acknowledged, and then has been.
        case acknowledging = 2
        case acknowledged = 3
        /// Batch `a` of the queue is durable.
        case enqueued = 4
        /// The record with payload number `a` has been acknowledged in the queue.
        case removed = 5
    }

    static func send(_ kind: Kind, _ first: UInt64, _ second: UInt64 = 0) {
        var words = (kind.rawValue, first, second)
        let size = MemoryLayout.size(ofValue: words)
        guard write(1, &words, size) == size else { exit(3) }
    }
}

/// Bytes that only their number can give, 0 to 1,500 of them.
func payload(_ number: UInt64) -> [UInt8] {
    var state = number
    func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
    let count = Int(next() % 1_501)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
}
