import CAllocations

/// How long one operation takes, and how often it allocates.
struct Measurement {
    /// The median over the rounds.
    let nanoseconds: Double
    /// On the measuring thread, rounded to a tenth.
    let allocations: Double

    /// Runs `operation` `count` times in each of `rounds` rounds, after one round that does not count.
    static func of(count: Int, rounds: Int = 11, _ operation: () throws -> Void) rethrows -> Measurement {
        var times: [Double] = []
        var allocations: UInt64 = 0
        let clock = ContinuousClock()
        for round in 0...rounds {
            let before = allocations_of_this_thread()
            let elapsed = try clock.measure { for _ in 0..<count { try operation() } }
            if round == 0 { continue }
            allocations = allocations_of_this_thread() - before
            times.append(elapsed.nanoseconds / Double(count))
        }
        return Measurement(
            nanoseconds: times.sorted()[times.count / 2],
            allocations: (Double(allocations) / Double(count) * 10).rounded() / 10, )
    }
}

extension Duration {
    var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}
