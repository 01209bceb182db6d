import CAllocations

/// The duration and the number of allocations of one operation.
struct Measurement {
    /// The median over all rounds.
    let nanoseconds: Double
    /// The allocations on the measuring thread, rounded to a tenth.
    let allocations: Double

    /// Runs `operation` `count` times in each of `rounds` rounds, after a warm-up round.
    @inline(__always)
    static func of(count: Int, rounds: Int = 11, _ operation: () throws -> Void) rethrows -> Measurement {
        try of(count: count, rounds: rounds, before: {}, operation)
    }

    /// Runs an operation that needs a preparation.
    ///
    /// - Parameter before: Runs before each round, outside the measurement.
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
            allocations: (Double(allocations) / Double(count) * 10).rounded() / 10)
    }
}

extension Duration {
    var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}
