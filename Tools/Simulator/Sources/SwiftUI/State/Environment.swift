/// A value that the views around have set.
@propertyWrapper
public struct Environment<Value> {
    private let read: (EnvironmentValues) -> Value
    private var value: Value?

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        self.init(read: { $0[keyPath: keyPath] })
    }

    init(read: @escaping (EnvironmentValues) -> Value) {
        self.read = read
    }

    public var wrappedValue: Value { value ?? read(EnvironmentValues()) }
}

extension Environment: InstallableProperty {
    nonisolated static var isKeptByNode: Bool { true }

    mutating func install(in node: ViewNode, properties: NodeProperties, at offset: Int) {
        let read = read
        let found = read(node.environment)
        value = found
        properties.noteRead(at: offset) { ValueEquality.areEqual(read($0), found) }
    }
}
