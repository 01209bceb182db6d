import AstrolabePlatform
import AstrolabePolicy
import AstrolabeTelemetryModel
import Atomics

/// Kill switches for kinds of records and for instrumentation scopes.
///
/// A record costs one relaxed load while nothing is off, and no lock ever.
final class InstrumentSwitches: @unchecked Sendable {  // `scopeBits` points to atomic words
    private struct State {
        var names: Set<String> = []
        /// Few, so that a search does.
        var scopes: [(number: UInt16, name: String)] = []
    }

    /// A bit for each kind that is off, and one if a scope is.
    private let word = UnsafeAtomic<UInt8>.create(0)
    /// A bit for each scope that is off, by its number. Scopes with larger numbers cannot be turned off.
    private let scopeBits: UnsafeMutablePointer<UnsafeAtomic<UInt64>.Storage>
    /// The number of words in `scopeBits`.
    private static let scopeWords = 16
    private let state = Locked(State())
    private static let ofScopes: UInt8 = 0x80

    init() {
        // An array would have the runtime search for conformances, at the start.
        scopeBits = .allocate(capacity: Self.scopeWords)
        for index in 0..<Self.scopeWords { (scopeBits + index).initialize(to: UnsafeAtomic<UInt64>.Storage(0)) }
    }

    deinit {
        word.destroy()
        scopeBits.deallocate()
    }

    /// The word with the bit of a scope; `nil` for a number that is too large.
    private func scopeWord(_ number: UInt16) -> UnsafeAtomic<UInt64>? {
        let index = Int(number / 64)
        return index < Self.scopeWords ? UnsafeAtomic(at: scopeBits + index) : nil
    }

    /// Turns these off, and all others on.
    ///
    /// - Parameter names: The names of the scopes of apps and libraries.
    func turnOff(_ instruments: Set<Instrument>, scopes names: Set<String>) {
        let kinds = RecordKind.allCases.filter { instruments.contains(.all) || instruments.contains(.of($0)) }
        state.withLock { state in
            state.names = names.union(instruments.compactMap(\.scope))
            let numbers = state.scopes.filter { state.names.contains($0.name) }.map(\.number)
            for index in 0..<Self.scopeWords {
                let word = numbers.reduce(UInt64(0)) { $0 | (Int($1 / 64) == index ? Self.scopeBit($1) : 0) }
                UnsafeAtomic(at: scopeBits + index).store(word, ordering: .relaxed)
            }
            let bits = kinds.reduce(state.names.isEmpty ? 0 : Self.ofScopes) { $0 | Self.bit($1) }
            word.store(bits, ordering: .relaxed)
        }
    }

    /// Learns the number of a scope.
    func register(_ name: String, _ number: UInt16) {
        state.withLock { state in
            if !state.scopes.contains(where: { $0.number == number }) { state.scopes.append((number, name)) }
            guard state.names.contains(name), let word = scopeWord(number) else { return }
            _ = word.loadThenBitwiseOr(with: Self.scopeBit(number), ordering: .relaxed)
        }
    }

    /// Returns true if all records of this kind are off.
    func isOff(_ kind: RecordKind) -> Bool { word.load(ordering: .relaxed) & Self.bit(kind) != 0 }

    /// Returns true if the record is of an instrument that is off.
    @inline(__always)
    func turnsOff(_ header: RecordHeader) -> Bool {
        let word = word.load(ordering: .relaxed)
        return word != 0 && turnsOff(header, word)
    }

    @inline(never)
    private func turnsOff(_ header: RecordHeader, _ word: UInt8) -> Bool {
        if word & Self.bit(header.kind) != 0 { return true }
        let number = header.scope.rawValue
        guard word & Self.ofScopes != 0, let bits = scopeWord(number) else { return false }
        return bits.load(ordering: .relaxed) & Self.scopeBit(number) != 0
    }

    private static func scopeBit(_ number: UInt16) -> UInt64 { 1 << UInt64(number % 64) }

    @inline(__always)
    private static func bit(_ kind: RecordKind) -> UInt8 {
        switch kind {
        case .span: 1
        case .event: 2
        case .metric: 4
        }
    }
}

extension Instrument {
    fileprivate static func of(_ kind: RecordKind) -> Instrument {
        switch kind {
        case .span: .spans
        case .event: .events
        case .metric: .metrics
        }
    }
}
