import AstrolabeOTLP
import AstrolabePlatform

/// An input that a decoder handled wrongly.
package struct Finding: Error, CustomStringConvertible {
    package let target: Target
    package let problem: String
    package let input: [UInt8]
    package let index: Int

    package var description: String { "input \(index), \(target.rawValue), \(input.count) bytes: \(problem)" }
}

/// Makes inputs from a seed and watches what the decoders do with them.
///
/// Every tenth input is valid: one request written plainly as protobuf and as JSON, and in odd but equivalent ways as
/// both, which must all be read alike. The others are damaged. Of every input this asks: no trap, a bounded time,
/// memory within ``MemoryBudget``, an error that points into the input, and values that keep the model's promises.
package struct FuzzDecoder {
    /// The counts of outcomes so far.
    package struct Tally: Sendable {
        package var decoded: [Target: Int] = [:]
        package var refused: [Target: Int] = [:]
        package var equivalences = 0
        package var longestInput = 0
        package var slowest = Duration.zero
        package var slowestIndex = 0
    }

    /// The CPU time that no input takes, in a release build by far.
    static let timeLimit = Duration.seconds(5)

    private let seed: UInt64
    private let measuresMemory: Bool
    private let willRead: (Target, [UInt8]) -> Void
    private var origin: ValidRequests
    package private(set) var tally = Tally()

    /// - Parameters:
    ///   - measuresMemory: Whether the heap is measured around each input, which holds only where no other thread runs.
    ///   - willRead: Called before each reading, so that an input that ends the process can be kept.
    package init(
        seed: UInt64, measuresMemory: Bool = false, willRead: @escaping (Target, [UInt8]) -> Void = { _, _ in },
    ) {
        self.seed = seed
        self.measuresMemory = measuresMemory
        self.willRead = willRead
        origin = ValidRequests(seed: seed, origin: 0)
    }

    /// Makes input `index` and reads it.
    package mutating func run(_ index: Int) throws(Finding) {
        if index % 10 == 0 {
            try compareEncodings(index)
        } else {
            try readDamaged(index)
        }
    }

    /// Reads an input of any origin as all targets do.
    package mutating func replay(_ input: [UInt8], index: Int = 0) throws(Finding) {
        for target in Target.allCases { _ = try read(input, as: target, index: index) }
    }

    private mutating func compareEncodings(_ index: Int) throws(Finding) {
        var random = Randomness(seed: seed, stream: UInt64(index))
        let signal = random.pick(RequestSignal.allCases)
        let oddity = random.pick([2, 10, 30])
        let requests = ValidRequests(seed: seed, origin: index)
        let inputs = [0, oddity].flatMap { oddity in
            Encoding.allCases.map { encoding in
                (Target(signal, encoding), requests.encoded(signal, encoding, oddity: oddity))
            }
        }
        var first: Decoded?
        for (target, input) in inputs {
            let outcome = try read(input, as: target, index: index)
            guard case .decoded(let decoded) = outcome else {
                throw Finding(target: target, problem: "a valid request: \(outcome)", input: input, index: index)
            }
            // NaN is not equal to itself, but its description is.
            if let first, first != decoded, "\(first)" != "\(decoded)" {
                throw Finding(target: target, problem: "read otherwise than its twin", input: input, index: index)
            }
            first = first ?? decoded
        }
        tally.equivalences += 1
    }

    private mutating func readDamaged(_ index: Int) throws(Finding) {
        var random = Randomness(seed: seed, stream: UInt64(index))
        let target = random.pick(Target.allCases)
        // Neighbours share their origin, which takes longer to make than to damage.
        if origin.index != index / 50 { origin = ValidRequests(seed: seed, origin: index / 50) }
        let whole = origin.input(for: target, oddity: random.chance(30) ? 10 : 0)
        let other = origin.input(for: target == .gzip ? .gzip : random.pick(Target.allCases), oddity: 0)
        var mutator = Mutator(random: random)
        let input = mutator.damage(whole, splicing: other)
        if case .decompressed(let body) = try read(input, as: target, index: index) {
            _ = try read(body, as: .tracesProtobuf, index: index)
        }
    }

    private mutating func read(_ input: [UInt8], as target: Target, index: Int) throws(Finding) -> Outcome {
        func finding(_ problem: String) -> Finding {
            Finding(target: target, problem: problem, input: input, index: index)
        }
        willRead(target, input)
        let meter = CPUTimeMeter()
        let heapBefore = measuresMemory ? HeapUse.bytes : nil
        let outcome = meter.measure { target.read(input) }
        let duration = meter.total
        let heapAfter = measuresMemory ? HeapUse.bytes : nil

        tally.longestInput = max(tally.longestInput, input.count)
        if duration > tally.slowest { (tally.slowest, tally.slowestIndex) = (duration, index) }
        if duration > Self.timeLimit { throw finding("took \(duration)") }
        if let heapBefore, let heapAfter, case .decoded = outcome {
            let bound = input.count * MemoryBudget.factor + MemoryBudget.base
            if heapAfter - heapBefore > bound { throw finding("occupies \(heapAfter - heapBefore) bytes of \(bound)") }
        }
        switch outcome {
        case .decoded(let decoded):
            tally.decoded[target, default: 0] += 1
            if let problem = Invariants.violation(in: decoded) { throw finding(problem) }
        case .decompressed(let body):
            tally.decoded[target, default: 0] += 1
            if body.count > Target.decompressedLimit { throw finding("decompressed past its limit") }
        case .refused(let reason, let offset):
            tally.refused[target, default: 0] += 1
            if reason.isEmpty { throw finding("refused without a reason") }
            if let offset, !(0...input.count).contains(offset) { throw finding("an error at byte \(offset)") }
        }
        return outcome
    }
}
