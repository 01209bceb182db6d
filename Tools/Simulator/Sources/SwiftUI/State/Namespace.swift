/// The identity of a view, within which views are matched by ids.
@propertyWrapper
public struct Namespace {
    /// A namespace, which lasts as long as its view.
    public struct ID: Hashable, Sendable {
        let names: MatchedNames?

        public static func == (left: ID, right: ID) -> Bool { left.names === right.names }
        public func hash(into hasher: inout Hasher) { hasher.combine(names.map(ObjectIdentifier.init)) }
    }

    private var names: MatchedNames?

    public init() {}

    public var wrappedValue: ID { ID(names: names) }
}

extension Namespace: InstallableProperty {
    nonisolated static var isKeptByNode: Bool { true }

    mutating func install(in node: ViewNode, properties: NodeProperties, at offset: Int) {
        names = properties.storage(at: offset) { MatchedNames(node.graph.nextID()) }
    }
}

/// The names by which the page knows the ids of a namespace.
@MainActor
final class MatchedNames {
    private let number: Int
    private var ids: [AnyHashable: Int] = [:]

    init(_ number: Int) {
        self.number = number
    }

    func name(of id: AnyHashable) -> String {
        let place = ids[id] ?? ids.count
        ids[id] = place
        return "\(number).\(place)"
    }
}
