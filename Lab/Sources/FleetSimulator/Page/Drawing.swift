/// An inline SVG image in its own units, which the page scales.
struct Drawing {
    let width: Double
    let height: Double
    /// The text alternative.
    let title: String
    private var elements: [String] = []

    init(width: Double, height: Double, title: String) {
        self.width = width
        self.height = height
        self.title = title
    }

    struct Point {
        let x: Double
        let y: Double
    }

    mutating func line(_ from: Point, _ to: Point, _ style: String) {
        elements.append(
            "<line x1=\"\(n(from.x))\" y1=\"\(n(from.y))\" x2=\"\(n(to.x))\" y2=\"\(n(to.y))\" class=\"\(style)\"/>")
    }

    /// - Parameter tip: The tooltip.
    mutating func box(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String, fill: String? = nil,
        radius: Double = 0, tip: String? = nil,
    ) {
        let look = fill.map { " style=\"fill:\($0)\"" } ?? ""
        let round = radius > 0 ? " rx=\"\(n(radius))\"" : ""
        let shape =
            "<rect x=\"\(n(x))\" y=\"\(n(y))\" width=\"\(n(max(width, 0)))\" height=\"\(n(max(height, 0)))\"\(round)"
            + " class=\"\(style)\"\(look)"
        elements.append(tip.map { shape + "><title>" + Markup.escape($0) + "</title></rect>" } ?? shape + "/>")
    }

    mutating func text(_ x: Double, _ y: Double, _ text: String, _ style: String, fill: String? = nil) {
        let look = fill.map { " style=\"fill:\($0)\"" } ?? ""
        elements.append("<text x=\"\(n(x))\" y=\"\(n(y))\" class=\"\(style)\"\(look)>\(Markup.escape(text))</text>")
    }

    mutating func curve(_ points: [Point], _ style: String, stroke: String) {
        guard !points.isEmpty else { return }
        elements.append("<path d=\"\(path(points))\" class=\"\(style)\" style=\"stroke:\(stroke)\"/>")
    }

    /// Fills the area between two curves with the same x values.
    mutating func area(_ top: [Point], _ bottom: [Point], _ style: String, fill: String, tip: String? = nil) {
        guard !top.isEmpty else { return }
        let outline = path(top) + path(bottom.reversed()).replacingFirst("M", with: "L") + "Z"
        let shape = "<path d=\"\(outline)\" class=\"\(style)\" style=\"fill:\(fill)\""
        elements.append(tip.map { shape + "><title>" + Markup.escape($0) + "</title></path>" } ?? shape + "/>")
    }

    mutating func circle(_ x: Double, _ y: Double, _ radius: Double, _ style: String, fill: String, tip: String) {
        elements.append(
            "<circle cx=\"\(n(x))\" cy=\"\(n(y))\" r=\"\(n(radius))\" class=\"\(style)\" style=\"fill:\(fill)\"><title>"
                + Markup.escape(tip) + "</title></circle>")
    }

    var markup: String {
        "<svg viewBox=\"0 0 \(n(width)) \(n(height))\" role=\"img\" aria-label=\"\(Markup.escape(title))\">"
            + elements.joined(separator: "\n") + "</svg>"
    }

    private func path(_ points: [Point]) -> String {
        "M" + points.map { n($0.x) + " " + n($0.y) }.joined(separator: "L")
    }

    /// Formats a coordinate with one decimal, which is precise enough for screens.
    private func n(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
        return (tenths < 0 ? "-" : "") + String(whole) + (rest == 0 ? "" : "." + String(rest))
    }
}

extension String {
    fileprivate func replacingFirst(_ character: Character, with other: String) -> String {
        first == character ? other + dropFirst() : self
    }
}

/// Escapes text for HTML.
enum Markup {
    static func escape(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
