/// A value stored in the view's node, from when the view appears until it is removed.
///
/// Views that read it are evaluated again when it changes. It can be read and written on any thread.
@propertyWrapper
public struct State<Value> {
    private let initial: Value
    private var location: StateLocation<Value>?

    public init(wrappedValue value: Value) {
        initial = value
    }

    public init(initialValue value: Value) {
        initial = value
    }

    public var wrappedValue: Value {
        get { location?.get() ?? initial }
        nonmutating set { location?.set(newValue, Transaction()) }
    }

    public var projectedValue: Binding<Value> {
        guard let location else {
            let value = initial
            return Binding(location: FunctionLocation(get: { value }, set: { _, _ in }))
        }
        return Binding(location: location)
    }
}

extension State where Value: ExpressibleByNilLiteral {
    public init() {
        self.init(wrappedValue: nil)
    }
}

extension State: Sendable where Value: Sendable {}

extension State: InstallableProperty {
    nonisolated static var isKeptByNode: Bool { true }

    mutating func install(in node: ViewNode, properties: NodeProperties, at offset: Int) {
        location = properties.storage(at: offset) { StateLocation(initial, owner: node.viewName) }
    }
}
