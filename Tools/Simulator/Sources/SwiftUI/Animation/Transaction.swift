/// The context of a change: how it is animated.
public struct Transaction: Sendable {
    public var animation: Animation?
    public var disablesAnimations = false

    public init() {}

    public init(animation: Animation?) {
        self.animation = animation
    }

    private static let scope = ScopedValue<Transaction?>()

    /// The transaction of the change that this thread makes. A task that the change starts has none.
    static var current: Transaction? { scope.current ?? nil }

    static func with<Result>(_ transaction: Transaction?, _ body: () throws -> Result) rethrows -> Result {
        try scope.with(transaction, body)
    }
}

/// Changes state with an animation.
///
/// Partly: offset, scale, rotation, opacity, fixed frames, `Animatable` values and transitions. Others happen at once.
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
    try withTransaction(Transaction(animation: animation), body)
}

/// Changes state with a transaction.
public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
    try Transaction.with(transaction, body)
}
