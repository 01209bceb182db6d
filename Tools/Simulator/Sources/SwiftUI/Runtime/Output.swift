import ViewTree

/// What a node shows: any number of rendered nodes in a row, and what it has to say to those around it.
struct Output {
    var elements: [Element] = []
    var preferences = Preferences()

    init() {}

    init(merging outputs: [Output]) {
        if outputs.count == 1 {
            self = outputs[0]
        } else {
            for output in outputs { append(output) }
        }
    }

    init(_ node: RenderedNode, preferences: Preferences = Preferences()) {
        elements = [Element(node: node)]
        self.preferences = preferences
    }

    mutating func append(_ other: Output) {
        elements.append(contentsOf: other.elements)
        preferences.merge(other.preferences)
    }

    var nodes: [RenderedNode] { elements.map(\.node) }
}

/// One rendered node, with what its container asks of it.
struct Element {
    var node: RenderedNode
    var traits = Traits()
}

/// What a view tells its direct container.
struct Traits {
    var tag: AnyHashable?
    /// The id that `ForEach` gave; it counts as a tag where there is no other.
    var implicitTag: AnyHashable?
    var tabItem: [RenderedNode]?
    var badge: String?
    var isSection = false
    var listRow: [String: NodeValue] = [:]
    var swipeActions: [RenderedNode] = []
    var layoutPriority: Double?
}

/// What a view tells those around it at any distance: the page it is on, or the window.
struct Preferences {
    var title: String?
    var titleDisplayMode: String?
    var hidesBackButton = false
    var hidesBar = false
    var toolbar: [RenderedNode] = []
    var search: RenderedNode?
    var presentations: [RenderedNode] = []
    /// Of the sheet that the view is in.
    var detents: [String] = []
    var staysUp = false

    /// Where both speak, the later view is heard, as with Apple's.
    mutating func merge(_ other: Preferences) {
        title = other.title ?? title
        titleDisplayMode = other.titleDisplayMode ?? titleDisplayMode
        hidesBackButton = hidesBackButton || other.hidesBackButton
        hidesBar = hidesBar || other.hidesBar
        toolbar += other.toolbar
        search = other.search ?? search
        presentations += other.presentations
        detents = other.detents.isEmpty ? detents : other.detents
        staysUp = staysUp || other.staysUp
    }
}
