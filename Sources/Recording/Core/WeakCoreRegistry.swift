import AstrolabePlatform
import Atomics

/// Records in the name of a core for spans that know its number alone.
///
/// A span that was sampled out refers to its core by number, because a reference would be counted up and down for every
/// one of them. Deputies are found weakly, the core itself is not: an object that has ever been referred to weakly is
/// slow to count references to.
final class WeakCoreRegistry: Sendable {
    let core: RecordingCore
    private let number: UInt64

    private struct Entry {
        let number: UInt64
        weak var deputy: WeakCoreRegistry?
    }

    private static let lastNumber = UnsafeAtomic<UInt64>.create(0)
    /// One for each core that lives. An array, because a dictionary costs the start a search of all images.
    private static let deputies = Locked<[Entry]>([])

    /// A number that no other core of the process has.
    static func makeNumber() -> UInt64 {
        lastNumber.wrappingIncrementThenLoad(ordering: .relaxed) & SampledOutCounter.coreMask
    }

    /// - Parameter core: A twin of the one that keeps the deputy.
    init(_ core: RecordingCore, number: UInt64) {
        self.core = core
        self.number = number
        Self.deputies.withLock { $0.append(Entry(number: number, deputy: self)) }
    }

    deinit {
        Self.deputies.withLock { [number] deputies in deputies.removeAll { $0.number == number } }
    }

    /// A core with all that the one has that gave a span its number, while there is one.
    static func core(of span: UInt64) -> RecordingCore? {
        let number = SampledOutCounter.core(of: span)
        return deputies.withLock { $0.first { $0.number == number }?.deputy }?.core
    }
}
