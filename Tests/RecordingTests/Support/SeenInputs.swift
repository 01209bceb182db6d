import AstrolabePlatform
import AstrolabeRecording

/// What a sampler was asked, in order.
final class SeenInputs: Sendable {
    private let inputs = Locked<[SamplingInput]>([])

    var all: [SamplingInput] { inputs.withLock { $0 } }

    func add(_ input: SamplingInput) {
        inputs.withLock { $0.append(input) }
    }
}
