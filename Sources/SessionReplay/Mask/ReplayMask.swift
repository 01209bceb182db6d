import Astrolabe

/// Replaces a screen's texts by word lengths. Its output contains only texts that the configuration allows.
struct ReplayMask: Sendable {
    struct Limits: Hashable, Sendable {
        var nodes = 1_000
        var levels = 40
        /// Maximum bytes of all nodes in a record, by a conservative estimate.
        var bytes = 196_608
    }

    private static let wordLimit = 60
    private static let wordLengthLimit = 20
    /// Maximum characters of a readable text, and of a name.
    private static let textLimit = 400
    private static let nameLimit = 128
    /// Replaces the content of a field or of a private node, regardless of its length.
    static let fixedWords = [8]

    let configuration: ReplayConfiguration
    var limits = Limits()

    /// Settings inherited by the children of a node.
    private struct Context {
        var level = 1
        var isReadable: Bool
        var isPrivate = false

        func inside(_ node: Wireframe.Node, _ configuration: ReplayConfiguration) -> Context {
            Context(
                level: level + 1,
                isReadable: isReadable || node.name.map(configuration.unmasked.contains) == true,
                isPrivate: isPrivate || node.isPrivate)
        }
    }

    /// Masks a wireframe in breadth-first order, so that the limits cut off the deepest nodes.
    func masked(_ wireframe: Wireframe) -> MaskedWireframe {
        let outermost = Context(level: 0, isReadable: configuration.masking == .inputs)
            .inside(wireframe.root, configuration)
        var result = MaskedWireframe(
            width: max(wireframe.width, 1), height: max(wireframe.height, 1), root: wireframe.root.id,
            nodes: [mask(wireframe.root, outermost)])
        // The masked nodes whose children are still to be added, in order.
        var inner = [(node: wireframe.root, context: outermost)]
        var known: Set<Int> = [wireframe.root.id]
        var bytes = result.nodes[0].sizeEstimate
        var index = 0
        while index < inner.count {
            let (node, context) = inner[index]
            // The children of a field are its content.
            for child in node.role == .field ? [] : node.children where known.insert(child.id).inserted {
                let childContext = context.inside(child, configuration)
                let masked = mask(child, childContext)
                bytes += masked.sizeEstimate
                guard childContext.level <= limits.levels, inner.count < limits.nodes, bytes <= limits.bytes else {
                    bytes -= masked.sizeEstimate
                    result.isCut = true
                    break
                }
                result.nodes[index].children.append(child.id)
                result.nodes.append(masked)
                inner.append((child, childContext))
            }
            index += 1
        }
        return result
    }

    private func mask(_ node: Wireframe.Node, _ context: Context) -> MaskedWireframe.Node {
        var masked = MaskedWireframe.Node(
            id: node.id, role: node.role, name: node.name.map { String($0.prefix(Self.nameLimit)) },
            layout: node.layout, style: node.style, isDimmed: node.isDimmed)
        if node.role == .field {
            if node.hasContent { masked.words = Self.fixedWords }
            return masked
        }
        let text = node.text.flatMap { $0.isEmpty ? nil : $0 }
        if context.isPrivate {
            if text != nil { masked.words = Self.fixedWords }
            return masked
        }
        masked.isOn = node.isOn
        masked.fraction = node.fraction
        guard let text else { return masked }
        if context.isReadable {
            masked.text = String(text.prefix(Self.textLimit))
        } else {
            masked.words = Self.lengths(of: text)
        }
        return masked
    }

    private static func lengths(of text: String) -> [Int] {
        let words = text.split(maxSplits: wordLimit, omittingEmptySubsequences: true) { $0.isWhitespace }
        return words.prefix(wordLimit).map { min($0.count, wordLengthLimit) }
    }
}

extension MaskedWireframe.Node {
    /// Bytes of the node in a record, including its id in its parent's list; never an underestimate.
    fileprivate var sizeEstimate: Int {
        let numbers = [layout.spacing, layout.width, layout.height, style.fontSize, style.radius, fraction]
        let colors = [style.fill, style.ink].compactMap(\.self)
        let flags = [layout.grows, style.isBold, isDimmed, isOn != nil].count { $0 }
        return 96 + 24 * numbers.count { $0 != nil } + 64 * (layout.box == nil ? 0 : 1)
            + 64 * (layout.padding == nil ? 0 : 1) + (layout.alignment == nil ? 0 : 32) + 24 * flags
            + colors.reduce(0) { $0 + 16 + $1.text.utf8.count } + (words.isEmpty ? 0 : 24 + 4 * words.count)
            + (text.map { 16 + $0.utf8.count } ?? 0) + (name.map { 16 + $0.utf8.count } ?? 0)
            + (layout.columns == nil ? 0 : 24)
    }
}
