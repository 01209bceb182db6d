import ViewTree

/// The output of a node: any number of rendered nodes, and preferences for the nodes around it.
struct Output {
    var elements: [Element] = []
    var preferences = ViewPreferences()

    init() {}

    init(merging outputs: [Output]) {
        if outputs.count == 1 {
            self = outputs[0]
        } else {
            for output in outputs { append(output) }
        }
    }

    init(_ node: RenderedNode, preferences: ViewPreferences = ViewPreferences()) {
        elements = [Element(node: node)]
        self.preferences = preferences
    }

    mutating func append(_ other: Output) {
        elements.append(contentsOf: other.elements)
        preferences.merge(other.preferences)
    }

    var nodes: [RenderedNode] { elements.map(\.node) }
}

/// A rendered node, with the traits for its container.
struct Element {
    var node: RenderedNode
    var traits = Traits()
}

/// The values that a view passes to its direct container.
struct Traits {
    var tag: AnyHashable?
    /// The id from `ForEach`, which serves as a tag if there is no other.
    var implicitTag: AnyHashable?
    var tabItem: [RenderedNode]?
    var badge: String?
    var isSection = false
    var listRow: [String: NodeValue] = [:]
    var swipeActions: [RenderedNode] = []
    var leadingSwipeActions: [RenderedNode] = []
    /// True if the row has a control to delete it in edit mode.
    var isDeletable = false
    var disabledEdits = DisabledEdits()
    /// The text that a tap on a suggestion puts into the search field.
    var searchCompletion: String?
    var layoutPriority: Double?
    /// The cells of a row of a grid.
    var gridCells: [RenderedNode]?
}

/// The values that a view passes to the page or window around it.
struct ViewPreferences {
    var title: String?
    var titleDisplayMode: String?
    var subtitle: String?
    var toolbarRole: String?
    var hidesBackButton = false
    var hidesBar = false
    var hidesSidebarToggle = false
    /// The width of a column of a split view.
    var columnWidth: Double?
    var toolbar: [RenderedNode] = []
    var search: RenderedNode?
    /// True if there is a stack of pages inside, with bars of its own.
    var holdsStack = false
    var presentations: [RenderedNode] = []
    /// The values for the sheet that contains the view.
    var detents: [String] = []
    var staysUp = false
    var dragIndicator = Visibility.automatic
    /// The background, the corner radius and the size of the sheet.
    var sheetStyle: [String: NodeValue] = [:]
    /// The view behind the sheet's content.
    var sheetLayer: RenderedNode?
    /// The color scheme for the window or the sheet that contains the view.
    var colorScheme: ColorScheme?
    /// The values of the app's own keys.
    var custom: [ObjectIdentifier: PreferenceEntry] = [:]

    mutating func takeSheetValues(of other: ViewPreferences) {
        detents = other.detents
        staysUp = other.staysUp
        dragIndicator = other.dragIndicator
        sheetStyle = other.sheetStyle
        sheetLayer = other.sheetLayer
    }

    /// If both have a value, the later view's value is used, as in SwiftUI.
    mutating func merge(_ other: ViewPreferences) {
        title = other.title ?? title
        titleDisplayMode = other.titleDisplayMode ?? titleDisplayMode
        subtitle = other.subtitle ?? subtitle
        toolbarRole = other.toolbarRole ?? toolbarRole
        hidesBackButton = hidesBackButton || other.hidesBackButton
        hidesBar = hidesBar || other.hidesBar
        hidesSidebarToggle = hidesSidebarToggle || other.hidesSidebarToggle
        columnWidth = other.columnWidth ?? columnWidth
        toolbar += other.toolbar
        search = other.search ?? search
        holdsStack = holdsStack || other.holdsStack
        presentations += other.presentations
        detents = other.detents.isEmpty ? detents : other.detents
        staysUp = staysUp || other.staysUp
        dragIndicator = other.dragIndicator == .automatic ? dragIndicator : other.dragIndicator
        sheetStyle.merge(other.sheetStyle) { $1 }
        sheetLayer = other.sheetLayer ?? sheetLayer
        colorScheme = other.colorScheme ?? colorScheme
        custom.merge(other.custom) { first, next in
            var merged = first
            merged.value = first.merge(first.value, next.value)
            return merged
        }
    }
}
