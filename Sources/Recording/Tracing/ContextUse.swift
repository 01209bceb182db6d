import Atomics

/// A word that says whether there is any context in the process: a span that starts while there is none has no parent,
/// and need not look for one.
enum ContextUse {
    /// The number of contexts that are bound or kept and of deadlines of sessions that are set. From bit 32 on, how
    /// many other ways there are to have a context: spans made active, and bridges to other context systems.
    static let word = UnsafeAtomic<UInt64>.create(0)

    static let context: UInt64 = 1
    static let externalContext: UInt64 = 1 << 32

    static func begin(_ use: UInt64) {
        word.wrappingIncrement(by: use, ordering: .relaxed)
    }

    static func end(_ use: UInt64) {
        word.wrappingDecrement(by: use, ordering: .relaxed)
    }
}
