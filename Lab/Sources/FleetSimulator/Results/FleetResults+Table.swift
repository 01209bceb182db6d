extension FleetResults {
    /// All figures as lines of text, followed by the violations.
    public var table: String {
        let groups = figures
        let all = groups.flatMap(\.figures)
        let labels = (all.map(\.label.count).max() ?? 0) + 2
        let values = all.map(\.value.count).max() ?? 0
        var lines: [String] = []
        for group in groups where !group.figures.isEmpty {
            lines += ["", group.title]
            for figure in group.figures {
                let label = figure.label + Self.spaces(labels - figure.label.count)
                let value = Self.spaces(values - figure.value.count) + figure.value
                lines.append("  " + label + value + (figure.note.isEmpty ? "" : "   " + figure.note))
            }
        }
        if !problems.isEmpty {
            lines += ["", "Faults"]
            lines += problems.map { "  device \($0.device): \($0.text)" }
        }
        return lines.joined(separator: "\n")
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
}
