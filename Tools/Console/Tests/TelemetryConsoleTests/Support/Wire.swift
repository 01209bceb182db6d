import BrowserKit

/// A node of a wireframe with its children, as written in a test.
struct Wire {
    var role: String
    /// Identifies the node among its siblings over time; without a key, its index does.
    var key: String?
    var properties: [String: JSON]
    var children: [Wire]

    init(_ role: String, key: String? = nil, _ properties: [String: JSON] = [:], _ children: [Wire] = []) {
        self.role = role
        self.key = key
        self.properties = properties
        self.children = children
    }

    static func words(
        _ lengths: [Int], size: Double = 17, bold: Bool = false, ink: String? = nil, text: String? = nil,
    ) -> Wire {
        var properties: [String: JSON] = ["words": .array(lengths.map(JSON.integer)), "size": .number(size)]
        if let text { properties = ["text": .string(text), "size": .number(size)] }
        if bold { properties["bold"] = true }
        if let ink { properties["ink"] = .string(ink) }
        return Wire("text", properties)
    }

    static func button(_ name: String, _ lengths: [Int], filled: Bool = true, grow: Bool = false) -> Wire {
        var properties: [String: JSON] = ["name": .string(name)]
        if filled {
            properties.merge(["fill": "accent", "radius": 12, "padding": [14, 20, 14, 20]]) { $1 }
        }
        if grow { properties["grow"] = true }
        return Wire("button", properties, [words(lengths, bold: true, ink: filled ? "#ffffff" : nil)])
    }
}

/// Assigns ids to nodes and computes the changes between two screens, as a recorder does.
struct WireRecorder {
    private var ids: [String: Int] = [:]
    private var known: [Int: [String: JSON]] = [:]
    private(set) var root = 1

    /// Returns all nodes of a screen, outermost first.
    private mutating func flatten(_ wire: Wire, path: String, into nodes: inout [(Int, [String: JSON])]) -> Int {
        let id = ids[path] ?? ids.count + 1
        ids[path] = id
        let place = nodes.count
        nodes.append((id, [:]))
        var node = wire.properties
        node["id"] = .integer(id)
        node["role"] = .string(wire.role)
        let children = wire.children.enumerated().map { index, child in
            flatten(child, path: "\(path)/\(child.key ?? "\(index)\(child.role)")", into: &nodes)
        }
        if !children.isEmpty { node["children"] = .array(children.map(JSON.integer)) }
        nodes[place].1 = node
        return id
    }

    /// Returns the changed nodes and the removed ids; `nil` if nothing changed.
    mutating func change(to wire: Wire, isKey: Bool) throws -> (nodes: [JSON], removed: [Int])? {
        var nodes: [(Int, [String: JSON])] = []
        root = flatten(wire, path: wire.key ?? "", into: &nodes)
        let now = Dictionary(uniqueKeysWithValues: nodes)
        let changed = try nodes.filter { id, node in
            try isKey || known[id].map { try JSON.object($0).sortedBytes != JSON.object(node).sortedBytes } ?? true
        }
        let removed = isKey ? [] : known.keys.filter { now[$0] == nil }.sorted()
        known = now
        return changed.isEmpty && removed.isEmpty ? nil : (changed.map { .object($0.1) }, removed)
    }
}
