/// A value that a gesture updates, and that has its initial value again when the gesture ends.
@propertyWrapper
public struct GestureState<Value> {
    let initial: Value
    private var location: StateLocation<Value>?

    public init(wrappedValue: Value) {
        initial = wrappedValue
    }

    public init(initialValue: Value) {
        initial = initialValue
    }

    public var wrappedValue: Value { location?.get() ?? initial }
    public var projectedValue: GestureState<Value> { self }

    fileprivate func set(_ value: Value, _ transaction: Transaction) { location?.set(value, transaction) }
}

extension GestureState: InstallableProperty {
    nonisolated static var isKeptByNode: Bool { true }

    mutating func install(in node: ViewNode, properties: NodeProperties, at offset: Int) {
        location = properties.storage(at: offset) { StateLocation(initial, owner: node.viewName) }
    }
}

/// A gesture that updates a state.
@MainActor
@preconcurrency
public struct _UpdatingGesture<Content: Gesture, State>: Gesture {
    public typealias Value = Content.Value
    let content: Content
    let state: GestureState<State>
    let body: (Content.Value, inout State, inout Transaction) -> Void

    public func _recognizer(_ actions: _GestureActions<Value>) -> _Recognizer {
        var actions = actions
        actions.changed.insert(
            { value in
                var new = state.wrappedValue
                var transaction = Transaction()
                body(value, &new, &transaction)
                state.set(new, transaction)
            }, at: 0)
        actions.finished.append { state.set(state.initial, Transaction()) }
        return content._recognizer(actions)
    }
}

extension Gesture {
    /// Updates a state while the gesture goes on. The state has its initial value again at the end.
    public func updating<State>(
        _ state: GestureState<State>, body: @escaping (Value, inout State, inout Transaction) -> Void,
    ) -> _UpdatingGesture<Self, State> {
        _UpdatingGesture(content: self, state: state, body: body)
    }
}
