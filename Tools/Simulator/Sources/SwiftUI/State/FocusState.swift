import ViewTree

/// The field that has the keyboard focus.
@propertyWrapper
public struct FocusState<Value: Hashable> {
    /// A binding to a focus.
    @propertyWrapper
    public struct Binding {
        let location: Location<Value>
        let none: Value

        public var wrappedValue: Value {
            get { location.get() }
            nonmutating set { location.set(newValue, Transaction()) }
        }

        public var projectedValue: Binding { self }
    }

    private let none: Value
    private var location: StateLocation<Value>?

    public init() where Value == Bool {
        none = false
    }

    public init<T: Hashable>() where Value == T? {
        none = nil
    }

    public var wrappedValue: Value {
        get { location?.get() ?? none }
        nonmutating set { location?.set(newValue, Transaction()) }
    }

    public var projectedValue: Binding {
        let none = none
        return Binding(location: location ?? FunctionLocation(get: { none }, set: { _, _ in }), none: none)
    }
}

extension FocusState: InstallableProperty {
    nonisolated static var isKeptByNode: Bool { true }

    mutating func install(in node: ViewNode, properties: NodeProperties, at offset: Int) {
        location = properties.storage(at: offset) { StateLocation(none, owner: node.viewName) }
    }
}

private struct FocusModifier<Value: Hashable>: PrimitiveModifier {
    typealias Body = Never
    let binding: FocusState<Value>.Binding
    let value: Value

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let binding = binding
        let value = value
        node.handle(.focus) { binding.wrappedValue = value }
        node.handle(.blur) { if binding.wrappedValue == value { binding.wrappedValue = binding.none } }
        var output = Output(merging: children)
        guard let element = output.elements.first else { return output }
        output.elements[0].node = element.node.adding(
            ["focused": .bool(binding.wrappedValue == value)], actions: [.focus, .blur])
        return output
    }
}

/// Focuses a field when the view appears, unless another one has the focus.
private struct DefaultFocusModifier<Value: Hashable>: PrimitiveModifier {
    typealias Body = Never
    let binding: FocusState<Value>.Binding
    let value: Value

    /// The mark of a view that has appeared, which gets the focus once.
    private final class HasAppeared {}

    func didChangeVisibility(_ node: ViewNode) {
        guard node.isVisible, node.isAlive, node.storage == nil else { return }
        node.storage = HasAppeared()
        let (binding, value) = (binding, value)
        node.graph.enqueue(.appear) { if binding.wrappedValue == binding.none { binding.wrappedValue = value } }
    }
}

/// The precedence of a view among those that want the focus.
public struct DefaultFocusEvaluationPriority: Hashable, Sendable {
    private enum Kind: Hashable, Sendable {
        case automatic
        case userInitiated
    }

    private let kind: Kind

    public static let automatic = DefaultFocusEvaluationPriority(kind: .automatic)
    public static let userInitiated = DefaultFocusEvaluationPriority(kind: .userInitiated)
}

extension View {
    /// Focuses a field when the view appears, unless another one has the focus.
    ///
    /// Partly: The priority changes nothing.
    @available(iOS 17, macOS 13, *)
    public func defaultFocus<V: Hashable>(
        _ binding: FocusState<V>.Binding, _ value: V, priority: DefaultFocusEvaluationPriority = .automatic,
    ) -> some View {
        modifier(DefaultFocusModifier(binding: binding, value: value))
    }
}

extension View {
    /// Binds the focus of this field to one value.
    public func focused<Value: Hashable>(_ binding: FocusState<Value>.Binding, equals value: Value) -> some View {
        modifier(FocusModifier(binding: binding, value: value))
    }

    public func focused(_ condition: FocusState<Bool>.Binding) -> some View {
        modifier(FocusModifier(binding: condition, value: true))
    }
}
