import Combine

/// A key of the environment, with the default value.
public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

/// The values that the views around have set.
public struct EnvironmentValues {
    private final class Storage {
        var values: [ObjectIdentifier: Any]

        init(_ values: [ObjectIdentifier: Any]) {
            self.values = values
        }
    }

    private var storage = Storage([:])

    public init() {}

    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get {
            // An absent value would be cast to `nil` of an optional type, and never be the default.
            guard let value = storage.values[ObjectIdentifier(key)] else { return K.defaultValue }
            return value as? K.Value ?? K.defaultValue
        }
        set { set(newValue, for: ObjectIdentifier(key)) }
    }

    func object<T: ObservableObject>(_ type: T.Type) -> T? { storage.values[ObjectIdentifier(type)] as? T }

    mutating func setObject<T: ObservableObject>(_ object: T) { set(object, for: ObjectIdentifier(T.self)) }

    func observable<T: AnyObject>(_ type: T.Type) -> T? { storage.values[ObjectIdentifier(type)] as? T }

    mutating func setObservable<T: AnyObject>(_ object: T?) {
        if let object { set(object, for: ObjectIdentifier(T.self)) } else { remove(ObjectIdentifier(T.self)) }
    }

    private mutating func remove(_ key: ObjectIdentifier) {
        guard storage.values[key] != nil else { return }
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.values) }
        storage.values[key] = nil
    }

    private mutating func set<T>(_ value: T, for key: ObjectIdentifier) {
        if let stored = storage.values[key], let old = stored as? T, ValueEquality.areEqual(old, value) { return }
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.values) }
        storage.values[key] = value
    }

    /// Returns whether all values are equal, as far as values can be compared.
    func isSame(as other: EnvironmentValues) -> Bool {
        if storage === other.storage { return true }
        guard storage.values.count == other.storage.values.count else { return false }
        return storage.values.allSatisfy { key, value in
            guard let other = other.storage.values[key] else { return false }
            return Self.areSame(value, other)
        }
    }

    private static func areSame(_ a: Any, _ b: Any) -> Bool {
        func compare<T>(_ a: T) -> Bool { (b as? T).map { ValueEquality.areEqual(a, $0) } ?? false }
        return compare(a)
    }
}

extension View {
    /// Sets a value for this view and its descendants.
    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        modifier(EnvironmentModifier { $0[keyPath: keyPath] = value })
    }

    /// Changes a value for this view and its descendants.
    public func transformEnvironment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>, transform: @escaping (inout V) -> Void,
    ) -> some View {
        modifier(EnvironmentModifier { transform(&$0[keyPath: keyPath]) })
    }
}

/// Sets values of the environment for the modified view.
struct EnvironmentModifier: PrimitiveModifier {
    typealias Body = Never
    private let change: (inout EnvironmentValues) -> Void

    init(_ change: @escaping (inout EnvironmentValues) -> Void) {
        self.change = change
    }

    func changeEnvironment(_ values: inout EnvironmentValues) { change(&values) }
}
