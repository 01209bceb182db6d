/// A value that views pass to those around them.
public protocol PreferenceKey {
    associatedtype Value

    static var defaultValue: Value { get }

    /// Combines a value with the next view's.
    static func reduce(value: inout Value, nextValue: () -> Value)
}

extension PreferenceKey where Value: ExpressibleByNilLiteral {
    public static var defaultValue: Value { nil }
}

/// The value of a preference, with the way to combine it with the next.
struct PreferenceEntry {
    var value: Any
    let merge: (Any, Any) -> Any

    init<K: PreferenceKey>(_ key: K.Type, _ value: K.Value) {
        self.value = value
        merge = { first, next in
            guard var value = first as? K.Value, let next = next as? K.Value else { return first }
            K.reduce(value: &value, nextValue: { next })
            return value
        }
    }
}

private struct PreferenceModifier<K: PreferenceKey>: PrimitiveModifier {
    typealias Body = Never
    let change: (inout K.Value) -> Void

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        var value = output.preferences.custom[ObjectIdentifier(K.self)]?.value as? K.Value ?? K.defaultValue
        change(&value)
        output.preferences.custom[ObjectIdentifier(K.self)] = PreferenceEntry(K.self, value)
        return output
    }
}

private struct PreferenceReader<K: PreferenceKey>: PrimitiveModifier where K.Value: Equatable {
    typealias Body = Never
    let action: (K.Value) -> Void

    private final class Seen {
        var value: K.Value?
    }

    /// Calls the action after the update in which the views have passed another value.
    func render(_ children: [Output], in node: ViewNode) -> Output {
        let output = Output(merging: children)
        let seen = node.storage as? Seen ?? Seen()
        node.storage = seen
        let value = output.preferences.custom[ObjectIdentifier(K.self)]?.value as? K.Value ?? K.defaultValue
        if seen.value != value {
            seen.value = value
            let action = action
            node.graph.enqueue(.change) { if node.isAlive { action(value) } }
        }
        return output
    }
}

extension View {
    public func preference<K: PreferenceKey>(key: K.Type = K.self, value: K.Value) -> some View {
        modifier(PreferenceModifier<K> { $0 = value })
    }

    public func transformPreference<K: PreferenceKey>(
        _ key: K.Type = K.self, _ callback: @escaping (inout K.Value) -> Void,
    ) -> some View {
        modifier(PreferenceModifier<K>(change: callback))
    }

    public func onPreferenceChange<K: PreferenceKey>(
        _ key: K.Type = K.self, perform action: @escaping (K.Value) -> Void,
    ) -> some View where K.Value: Equatable {
        modifier(PreferenceReader<K>(action: action))
    }
}
