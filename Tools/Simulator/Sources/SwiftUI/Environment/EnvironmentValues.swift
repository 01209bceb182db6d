import Combine

/// A key of the environment, with the default value.
public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

/// The values that the views around have set.
///
/// Each is an object that copies share, so that two environments are compared by what was set for one of them only.
public struct EnvironmentValues {
    private class Entry {
        func isSame(as other: Entry) -> Bool { false }
    }

    private final class Held<Value>: Entry {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }

        override func isSame(as other: Entry) -> Bool {
            (other as? Held<Value>).map { ValueEquality.areEqual(value, $0.value) } ?? false
        }
    }

    private final class Storage {
        var values: [ObjectIdentifier: Entry]

        init(_ values: [ObjectIdentifier: Entry]) {
            self.values = values
        }
    }

    private var storage = Storage([:])

    public init() {}

    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { value(for: ObjectIdentifier(key)) ?? K.defaultValue }
        set { set(newValue, for: ObjectIdentifier(key)) }
    }

    func object<T: ObservableObject>(_ type: T.Type) -> T? { value(for: ObjectIdentifier(type)) }

    mutating func setObject<T: ObservableObject>(_ object: T) { set(object, for: ObjectIdentifier(T.self)) }

    func observable<T: AnyObject>(_ type: T.Type) -> T? { value(for: ObjectIdentifier(type)) }

    mutating func setObservable<T: AnyObject>(_ object: T?) {
        if let object { set(object, for: ObjectIdentifier(T.self)) } else { remove(ObjectIdentifier(T.self)) }
    }

    private func value<T>(for key: ObjectIdentifier) -> T? {
        (storage.values[key] as? Held<T>)?.value
    }

    private mutating func remove(_ key: ObjectIdentifier) {
        guard storage.values[key] != nil else { return }
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.values) }
        storage.values[key] = nil
    }

    private mutating func set<T>(_ value: T, for key: ObjectIdentifier) {
        if let old: T = self.value(for: key), ValueEquality.areEqual(old, value) { return }
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.values) }
        storage.values[key] = Held(value)
    }

    /// Returns whether all values are equal, as far as values can be compared.
    func isSame(as other: EnvironmentValues) -> Bool {
        if storage === other.storage { return true }
        guard storage.values.count == other.storage.values.count else { return false }
        return storage.values.allSatisfy { key, entry in
            guard let other = other.storage.values[key] else { return false }
            return entry === other || entry.isSame(as: other)
        }
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
    func rendersLike(_ other: Self) -> Bool { true }
}
