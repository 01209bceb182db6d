import Platform
import Recording

/// What a sampler was asked, in order.
final class SeenInputs: Sendable {
    private let inputs = Guarded<[SamplingInput]>([])

    var all: [SamplingInput] { inputs.withLock { $0 } }

    func add(_ input: SamplingInput) {
        inputs.withLock { $0.append(input) }
    }
}
