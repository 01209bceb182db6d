import AstrolabePlatform
import AstrolabeRecording

/// The inputs that a sampler was asked about, in order.
final class SeenInputs: Sendable {
    private let inputs = Locked<[SamplingInput]>([])

    var all: [SamplingInput] { inputs.withLock { $0 } }

    func add(_ input: SamplingInput) {
        inputs.withLock { $0.append(input) }
    }
}
