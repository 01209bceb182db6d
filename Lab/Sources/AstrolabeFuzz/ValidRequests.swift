import AstrolabeGzip

/// The two encodings of OTLP.
package enum Encoding: CaseIterable, Sendable {
    case protobuf, json
}

/// One valid request of each signal, drawn with one number.
package struct ValidRequests {
    package let index: Int
    private let seed: UInt64
    private var inputs: [String: [UInt8]] = [:]

    package init(seed: UInt64, origin: Int) {
        self.seed = seed
        index = origin
    }

    /// - Parameter oddity: The probability, in percent, that a plain form is replaced by an equivalent one.
    package func encoded(_ signal: RequestSignal, _ encoding: Encoding, oddity: Int) -> [UInt8] {
        var random = Randomness(seed: seed, stream: UInt64(index) | 1 << 40)
        let fieldLimit = random.pick([5, 40, 40, 150, 150, random.chance(10) ? 2_000 : 400])
        var generator = TreeGenerator(random: random, fieldLimit: fieldLimit)
        let tree = generator.request(signal)
        let choices = Randomness(seed: seed, stream: UInt64(index) | 1 << 41)
        switch encoding {
        case .protobuf:
            var encoder = ProtobufEncoder(random: choices, oddity: oddity)
            return encoder.encode(tree)
        case .json:
            var encoder = JSONTreeEncoder(random: choices, oddity: oddity)
            return encoder.encode(tree)
        }
    }

    /// The input for `target`; made once.
    mutating func input(for target: Target, oddity: Int) -> [UInt8] {
        let key = "\(target.rawValue) \(oddity)"
        if let known = inputs[key] { return known }
        let input: [UInt8] =
            switch target {
            case .tracesProtobuf: encoded(.traces, .protobuf, oddity: oddity)
            case .logsProtobuf: encoded(.logs, .protobuf, oddity: oddity)
            case .metricsProtobuf: encoded(.metrics, .protobuf, oddity: oddity)
            case .tracesJSON: encoded(.traces, .json, oddity: oddity)
            case .logsJSON: encoded(.logs, .json, oddity: oddity)
            case .metricsJSON: encoded(.metrics, .json, oddity: oddity)
            case .gzip: (try? GzipCoder.compress(encoded(.traces, .protobuf, oddity: oddity))) ?? []
            }
        inputs[key] = input
        return input
    }
}
