extension SamplingResults {
    /// A chart of the main share of bad sessions, as an SVG for light and dark pages.
    ///
    /// One axis has the bytes of traces sent, as a share of those of sampling that chooses every session. The other
    /// has the share of bad sessions in full.
    public var chart: String {
        guard let main = parts.first else { return "" }
        let points = zip(SamplingScheme.all, main.tallies).map { scheme, tally in
            ChartPoint(
                label: scheme.label, isRecorder: scheme.hasRecorder,
                isJoined: !scheme.hasRecorder && scheme.rate != .policy,
                x: Self.ratio(tally.tracesSent, main.everything.tracesSent),
                y: Self.ratio(tally.all.full, tally.all.count))
        }
        return SamplingChart(
            points: points,
            caption: "\(NumberFormatting.count(devices)) phones, \(hours) h, something goes wrong in "
                + "\(Self.share(main.badShare)) of the sessions",
        ).svg
    }

    private static func ratio(_ part: Int, _ whole: Int) -> Double { whole > 0 ? Double(part) / Double(whole) : 0 }
}

/// A scheme in the chart; both numbers are shares, 0...1.
struct ChartPoint {
    let label: String
    let isRecorder: Bool
    /// True if the line of head sampling goes through it.
    let isJoined: Bool
    let x: Double
    let y: Double
}

/// Draws the chart.
struct SamplingChart {
    let points: [ChartPoint]
    let caption: String

    private static let size = (width: 760.0, height: 460.0)
    private static let plot = (left: 84.0, top: 52.0, right: 724.0, bottom: 384.0)
    private static let style = """
        text { font: 13px system-ui, sans-serif; fill: #1f2328; }
        .axis { stroke: #59636e; } .grid { stroke: #d1d9e0; } .note { fill: #59636e; }
        .head { fill: #0969da; } .line { stroke: #0969da; fill: none; stroke-width: 2; } .recorder { fill: #bc4c00; }
        @media (prefers-color-scheme: dark) {
        text { fill: #f0f6fc; } .axis { stroke: #9198a1; } .grid { stroke: #3d444d; } .note { fill: #9198a1; }
        .head { fill: #4493f8; } .line { stroke: #4493f8; } .recorder { fill: #f0883e; } }
        """

    var svg: String {
        let (width, height) = Self.size
        let title = "Share of bad sessions in full against bytes of traces sent"
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(width)) \(Int(height))\" "
                + "role=\"img\" aria-label=\"\(title)\">",
            "<title>\(title)</title>", "<style>\n\(Self.style)\n</style>",
            Self.text(caption, x: Self.plot.left, y: 28, classes: "note"),
        ]
        lines += axes
        lines.append(headLine)
        lines += points.flatMap(mark)
        return lines.joined(separator: "\n") + "\n</svg>\n"
    }

    private func x(_ share: Double) -> Double { Self.plot.left + share * (Self.plot.right - Self.plot.left) }
    private func y(_ share: Double) -> Double { Self.plot.bottom - share * (Self.plot.bottom - Self.plot.top) }

    private var axes: [String] {
        let (left, top, right, bottom) = Self.plot
        let ticks = stride(from: 0.0, through: 1, by: 0.25).flatMap { share -> [String] in
            let label = NumberFormatting.decimal(100 * share, 0) + " %"
            return [
                Self.line(x(share), top, x(share), bottom, "grid"), Self.line(left, y(share), right, y(share), "grid"),
                Self.text(label, x: x(share), y: bottom + 20, anchor: "middle"),
                Self.text(label, x: left - 10, y: y(share) + 4, anchor: "end"),
            ]
        }
        let middle = (top + bottom) / 2
        return ticks + [
            Self.line(left, bottom, right, bottom, "axis"), Self.line(left, top, left, bottom, "axis"),
            Self.text(
                "bytes of traces sent, of those of head sampling at 100 %", x: (left + right) / 2, y: bottom + 48,
                anchor: "middle"),
            "<g transform=\"rotate(-90 20 \(Self.number(middle)))\">"
                + Self.text("bad sessions in full", x: 20, y: middle, anchor: "middle") + "</g>",
        ]
    }

    /// Joins the fixed rates of head sampling.
    private var headLine: String {
        let path = points.filter(\.isJoined).sorted { ($0.x, $0.y) < ($1.x, $1.y) }
            .map { Self.number(x($0.x)) + "," + Self.number(y($0.y)) }.joined(separator: " ")
        return "<polyline class=\"line\" points=\"\(path)\"/>"
    }

    /// A point with its label: at the right of head sampling, and for the recorder one below another.
    private func mark(_ point: ChartPoint) -> [String] {
        let (pointX, pointY) = (x(point.x), y(point.y))
        let circle =
            "<circle class=\"\(point.isRecorder ? "recorder" : "head")\" cx=\"\(Self.number(pointX))\" "
            + "cy=\"\(Self.number(pointY))\" r=\"5\"/>"
        guard point.isRecorder else {
            let isAtEdge = point.x > 0.8
            return [
                circle,
                Self.text(
                    point.label, x: pointX + (isAtEdge ? -10 : 10), y: pointY + 18, anchor: isAtEdge ? "end" : "start",
                ),
            ]
        }
        let row = points.filter { $0.isRecorder && $0.x < point.x }.count
        let (labelX, labelY) = (Self.plot.left + 150, Self.plot.top + 44 + 22 * Double(row))
        return [
            Self.line(pointX, pointY, labelX - 6, labelY - 4, "grid"), circle,
            Self.text(point.label, x: labelX, y: labelY),
        ]
    }

    private static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ name: String) -> String {
        "<line class=\"\(name)\" x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" y2=\"\(number(y2))\"/>"
    }

    private static func text(
        _ text: String, x: Double, y: Double, anchor: String = "start", classes: String = "label",
    ) -> String {
        "<text class=\"\(classes)\" x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\">\(text)</text>"
    }

    private static func number(_ value: Double) -> String { NumberFormatting.decimal(value, 1) }
}
