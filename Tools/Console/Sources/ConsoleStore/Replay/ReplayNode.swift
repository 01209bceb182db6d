import AstrolabeTelemetryModel
import ConsoleModel

/// A validated node of a wireframe: all numbers are finite and all values are within their limits.
struct ReplayNode: Sendable, Hashable {
    let id: Int64
    let role: String
    var children: [Int64] = []
    var words: [Int64] = []
    var text: String?
    var name: String?
    /// The frame as x, y, width, height.
    var box: [Double]?
    /// The padding as top, leading, bottom, trailing.
    var padding: [Double]?
    var spacing: Double?
    var align: String?
    var width: Double?
    var height: Double?
    var grow = false
    var columns: Int64?
    var size: Double?
    var bold = false
    var fill: String?
    var ink: String?
    var radius: Double?
    var isOn: Bool?
    var fraction: Double?
    var isDim = false

    init(id: Int64, role: String) {
        self.id = id
        self.role = role
    }

    /// The known roles. Any other role is read as `group`.
    static let roles: Set<String> = [
        "screen", "column", "row", "layer", "grid", "scroll", "list", "section", "cell", "page", "bar", "sheet",
        "dialog", "text", "image", "icon", "shape", "line", "space", "button", "field", "toggle", "slider", "stepper",
        "picker", "progress", "group",
    ]

    /// The color names that the player knows. Other colors are written as `#rrggbb`.
    static let colors: Set<String> = [
        "primary", "secondary", "tertiary", "accent", "background", "gray", "red", "orange", "yellow", "green", "mint",
        "teal", "cyan", "blue", "indigo", "purple", "pink", "brown", "white", "black", "clear",
    ]
}

extension JSONText {
    /// Appends the node as JSON for the player, without missing values.
    mutating func append(_ node: ReplayNode) {
        object { text in
            text.member("id", node.id)
            text.member("role", node.role)
            if !node.children.isEmpty { text.member("children") { $0.array(node.children) { $0.append($1) } } }
            if !node.words.isEmpty { text.member("words") { $0.array(node.words) { $0.append($1) } } }
            text.member(optional: "text", node.text)
            text.member(optional: "name", node.name)
            text.member("box", points: node.box)
            text.member("padding", points: node.padding)
            text.member("spacing", points: node.spacing)
            text.member(optional: "align", node.align)
            text.member("width", points: node.width)
            text.member("height", points: node.height)
            if node.grow { text.member("grow", true) }
            if let columns = node.columns { text.member("columns", columns) }
            text.member("size", points: node.size)
            if node.bold { text.member("bold", true) }
            text.member(optional: "fill", node.fill)
            text.member(optional: "ink", node.ink)
            text.member("radius", points: node.radius)
            if let isOn = node.isOn { text.member("on", isOn) }
            if let fraction = node.fraction { text.member("fraction") { $0.append(.double(fraction)) } }
            if node.isDim { text.member("dim", true) }
        }
    }

    private mutating func member(_ name: StaticString, points: Double?) {
        if let points { member(name) { $0.append(points: points) } }
    }

    private mutating func member(_ name: StaticString, points: [Double]?) {
        if let points { member(name) { $0.array(points) { $0.append(points: $1) } } }
    }

    /// Appends a length, rounded to a hundredth of a point.
    private mutating func append(points: Double) {
        let rounded = (points * 100).rounded() / 100
        if let whole = Int64(exactly: rounded) { append(whole) } else { append(.double(rounded)) }
    }
}
