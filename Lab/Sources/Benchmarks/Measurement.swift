import CAllocations

/// How long one operation takes, and how often it allocates.
struct Measurement {
    /// The median over the rounds.
    let nanoseconds: Double
    /// On the measuring thread, rounded to a tenth.
    let allocations: Double

    /// Runs `operation` `count` times in each of `rounds` rounds, after one round that does not count.
    @inline(__always)
    static func of(count: Int, rounds: Int = 11, _ operation: () throws -> Void) rethrows -> Measurement {
        try of(count: count, rounds: rounds, before: {}, operation)
    }

    /// The same where there is something to be made ready.
    ///
    /// - Parameter before: Runs before each round, outside of what is measured.
    static func of(
        count: Int, rounds: Int = 11, before: () throws -> Void, _ operation: () throws -> Void,
    ) rethrows -> Measurement {
        var times: [Double] = []
        var allocations: UInt64 = 0
        let clock = ContinuousClock()
        for round in 0...rounds {
            try before()
            let allocated = allocations_of_this_thread()
            let elapsed = try clock.measure { for _ in 0..<count { try operation() } }
            if round == 0 { continue }
            allocations = allocations_of_this_thread() - allocated
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
