public import Foundation

/// A value in the user's defaults.
///
/// All views with the key show a change. A change that other code makes with `UserDefaults` is shown too, once the
/// defaults have announced it.
@propertyWrapper
public struct AppStorage<Value> {
    private var location: StoredLocation<Value>
    /// Creates the value in another store; `nil` if the app names one.
    private let moved: ((UserDefaults) -> StoredLocation<Value>)?

    init(key: String, store: UserDefaults?, fallback: Value, _ form: StoredForm<Value>) {
        location = StoredLocation(key: key, store: store ?? .standard, fallback: fallback, form: form)
        moved =
            store == nil ? { StoredLocation(key: key, store: $0, fallback: fallback, form: form) } : nil
    }

    public var wrappedValue: Value {
        get { location.get() }
        nonmutating set { location.set(newValue, Transaction()) }
    }

    public var projectedValue: Binding<Value> { Binding(location: location) }
}

extension AppStorage: InstallableProperty {
    nonisolated static var isKeptByNode: Bool { false }

    mutating func install(in node: ViewNode, properties: NodeProperties, at offset: Int) {
        guard let moved else { return }
        let store = node.environment.defaultAppStorage
        if let store { location = moved(store) }
        properties.noteRead(at: offset) { $0.defaultAppStorage === store }
    }
}

extension EnvironmentValues {
    private enum DefaultAppStorageKey: EnvironmentKey {
        static var defaultValue: UserDefaults? { nil }
    }

    /// The store of values that name none; `nil` for the standard defaults.
    fileprivate var defaultAppStorage: UserDefaults? {
        get { self[DefaultAppStorageKey.self] }
        set { self[DefaultAppStorageKey.self] = newValue }
    }
}

extension View {
    /// Sets the store of each `AppStorage` here that names none.
    public func defaultAppStorage(_ store: UserDefaults) -> some View {
        modifier(EnvironmentModifier { $0.defaultAppStorage = store })
    }
}

extension AppStorage {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Bool {
        self.init(key: key, store: store, fallback: wrappedValue, .number { $0.boolValue })
    }

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Int {
        self.init(key: key, store: store, fallback: wrappedValue, .number { $0.intValue })
    }

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Double {
        self.init(key: key, store: store, fallback: wrappedValue, .number { $0.doubleValue })
    }

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == String {
        self.init(key: key, store: store, fallback: wrappedValue, .plain())
    }

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Data {
        self.init(key: key, store: store, fallback: wrappedValue, .plain())
    }

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == URL {
        self.init(
            key: key, store: store, fallback: wrappedValue,
            StoredForm(read: { ($0 as? String).flatMap { URL(string: $0) } }, write: { $0.absoluteString }))
    }

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == String {
        self.init(
            key: key, store: store, fallback: wrappedValue,
            StoredForm(read: { ($0 as? String).flatMap { Value(rawValue: $0) } }, write: { $0.rawValue }))
    }

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == Int {
        self.init(
            key: key, store: store, fallback: wrappedValue,
            StoredForm(read: { ($0 as? NSNumber).flatMap { Value(rawValue: $0.intValue) } }, write: { $0.rawValue }))
    }
}

extension AppStorage where Value: ExpressibleByNilLiteral {
    public init(_ key: String, store: UserDefaults? = nil) where Value == Bool? {
        self.init(key: key, store: store, fallback: nil, .optionalNumber { $0.boolValue })
    }

    public init(_ key: String, store: UserDefaults? = nil) where Value == Int? {
        self.init(key: key, store: store, fallback: nil, .optionalNumber { $0.intValue })
    }

    public init(_ key: String, store: UserDefaults? = nil) where Value == Double? {
        self.init(key: key, store: store, fallback: nil, .optionalNumber { $0.doubleValue })
    }

    public init(_ key: String, store: UserDefaults? = nil) where Value == String? {
        self.init(
            key: key, store: store, fallback: nil, StoredForm(read: { ($0 as? String).map { $0 } }, write: { $0 }))
    }
}

/// A value of the scene, which the next launch restores. The phone has one scene.
///
/// Partly: Kept in the defaults of the app, because the phone has one scene.
@propertyWrapper
public struct SceneStorage<Value> {
    private let storage: AppStorage<Value>

    public var wrappedValue: Value {
        get { storage.wrappedValue }
        nonmutating set { storage.wrappedValue = newValue }
    }

    public var projectedValue: Binding<Value> { storage.projectedValue }

    private static func scoped(_ key: String) -> String { "scene." + key }
}

extension SceneStorage: DynamicProperty {}

extension SceneStorage {
    public init(wrappedValue: Value, _ key: String) where Value == Bool {
        storage = AppStorage(wrappedValue: wrappedValue, Self.scoped(key), store: .standard)
    }

    public init(wrappedValue: Value, _ key: String) where Value == Int {
        storage = AppStorage(wrappedValue: wrappedValue, Self.scoped(key), store: .standard)
    }

    public init(wrappedValue: Value, _ key: String) where Value == Double {
        storage = AppStorage(wrappedValue: wrappedValue, Self.scoped(key), store: .standard)
    }

    public init(wrappedValue: Value, _ key: String) where Value == String {
        storage = AppStorage(wrappedValue: wrappedValue, Self.scoped(key), store: .standard)
    }

    public init(_ key: String) where Value == String? { storage = AppStorage(Self.scoped(key), store: .standard) }
    public init(_ key: String) where Value == Int? { storage = AppStorage(Self.scoped(key), store: .standard) }
}
