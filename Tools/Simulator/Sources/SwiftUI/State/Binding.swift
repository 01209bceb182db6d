/// A reference to a value that is stored elsewhere.
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
    public var transaction = Transaction()
    let location: Location<Value>

    init(location: Location<Value>) {
        self.location = location
    }

    /// - Parameters:
    ///   - get: Called whenever the value is read, on the actor that it was created on.
    ///   - set: Called with each new value.
    @preconcurrency
    public init(
        @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
        @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void,
    ) {
        let get = unsafeBitCast(get, to: (@Sendable () -> Value).self)
        let set = unsafeBitCast(set, to: (@Sendable (Value) -> Void).self)
        self.init(location: FunctionLocation(get: { get() }, set: { value, _ in set(value) }))
    }

    /// Returns a binding that writes with this transaction.
    @preconcurrency
    public init(
        @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
        @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value, Transaction) -> Void,
    ) {
        let get = unsafeBitCast(get, to: (@Sendable () -> Value).self)
        let set = unsafeBitCast(set, to: (@Sendable (Value, Transaction) -> Void).self)
        self.init(location: FunctionLocation(get: { get() }, set: { set($0, $1) }))
    }

    /// Returns a binding to a constant value.
    public static func constant(_ value: Value) -> Binding<Value> {
        Binding(location: FunctionLocation(get: { value }, set: { _, _ in }))
    }

    public init(projectedValue: Binding<Value>) {
        self = projectedValue
    }

    public var wrappedValue: Value {
        get { location.get() }
        nonmutating set { location.set(newValue, transaction) }
    }

    public var projectedValue: Binding<Value> { self }

    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        let location = location
        return Binding<Subject>(
            location: FunctionLocation(
                get: { location.get()[keyPath: keyPath] },
                set: { value, transaction in
                    var whole = location.get()
                    whole[keyPath: keyPath] = value
                    location.set(whole, transaction)
                },
            )
        )
    }

    public func transaction(_ transaction: Transaction) -> Binding<Value> {
        var copy = self
        copy.transaction = transaction
        return copy
    }

    public func animation(_ animation: Animation? = .default) -> Binding<Value> {
        transaction(Transaction(animation: animation))
    }
}

extension Binding {
    /// Creates a binding to an optional. `nil` is never written back.
    public init<V>(_ base: Binding<V>) where Value == V? {
        let location = base.location
        self.init(
            location: FunctionLocation(
                get: { location.get() },
                set: { value, transaction in if let value { location.set(value, transaction) } },
            )
        )
    }

    /// Returns `nil` if the base is `nil`.
    public init?(_ base: Binding<Value?>) {
        guard let current = base.wrappedValue else { return nil }
        let location = base.location
        self.init(
            location: FunctionLocation(get: { location.get() ?? current }, set: { location.set($0, $1) })
        )
    }
}

extension Binding: @unchecked Sendable where Value: Sendable {}  // a location guards what it holds

extension Binding: DynamicProperty {}
