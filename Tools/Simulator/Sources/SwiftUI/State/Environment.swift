/// A value that the views around have set.
@propertyWrapper
public struct Environment<Value> {
    private let keyPath: KeyPath<EnvironmentValues, Value>
    private var value: Value?

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        self.keyPath = keyPath
    }

    public var wrappedValue: Value { value ?? EnvironmentValues()[keyPath: keyPath] }
}

extension Environment: InstallableProperty {
    nonisolated static var isKeptByNode: Bool { true }

    mutating func install(in node: ViewNode, properties: NodeProperties, at offset: Int) {
        let keyPath = keyPath
        let found = node.environment[keyPath: keyPath]
        value = found
        properties.noteRead(at: offset) { Comparison.areEqual($0[keyPath: keyPath], found) }
    }
}
