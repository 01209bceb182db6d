/// A node of the view tree: the user interface as plain data, in the form in which it leaves the process.
///
/// An id stays the same while the node exists, and is never reused. If a subtree does not change from one tree to
/// the next, both contain the same object.
package final class RenderedNode: Codable, Sendable {
    package let id: Int
    /// The kind of the node: what it shows, arranges or changes.
    package let kind: NodeKind
    package let properties: [String: NodeValue]
    /// The actions that the node accepts.
    package let actions: [ViewAction]
    package let children: [RenderedNode]

    package init(
        id: Int, kind: NodeKind, properties: [String: NodeValue] = [:], actions: [ViewAction] = [],
        children: [RenderedNode] = [],
    ) {
        self.id = id
        self.kind = kind
        self.properties = properties
        self.actions = actions
        self.children = children
    }

    /// Returns the node with more properties, which replace those of the same name, and more actions.
    package func adding(_ more: [String: NodeValue], actions moreActions: [ViewAction] = []) -> RenderedNode {
        RenderedNode(
            id: id, kind: kind, properties: properties.merging(more) { _, new in new },
            actions: actions + moreActions.filter { !actions.contains($0) }, children: children,
        )
    }

    package func replacingChildren(with children: [RenderedNode]) -> RenderedNode {
        RenderedNode(id: id, kind: kind, properties: properties, actions: actions, children: children)
    }

    /// Returns true if both nodes have the same content, and the same objects as children.
    package func isSame(as other: RenderedNode) -> Bool {
        hasSameContent(as: other) && children.count == other.children.count
            && zip(children, other.children).allSatisfy { $0 === $1 }
    }

    /// Returns true if both nodes have the same id, kind, properties and actions, whatever their children are.
    package func hasSameContent(as other: RenderedNode) -> Bool {
        id == other.id && kind == other.kind && properties == other.properties && actions == other.actions
    }
}

/// The value of a property.
package enum NodeValue: Hashable, Sendable {
    case string(String)
    case number(Double)
    case bool(Bool)
    case list([NodeValue])
}

extension NodeValue: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else {
            self = .list(try container.decode([NodeValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let string): try container.encode(string)
        case .number(let number): try container.encode(number)
        case .bool(let bool): try container.encode(bool)
        case .list(let list): try container.encode(list)
        }
    }
}

extension NodeValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(integerLiteral value: Int) { self = .number(Double(value)) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: NodeValue...) { self = .list(elements) }

    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var number: Double? { if case .number(let value) = self { value } else { nil } }
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var list: [NodeValue]? { if case .list(let value) = self { value } else { nil } }
}
