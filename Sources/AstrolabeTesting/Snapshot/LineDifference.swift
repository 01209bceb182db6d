/// The difference between two texts, line by line.
enum LineDifference {
    private static let context = 2

    /// Lines that are missing start with `-`, lines that are new with `+`. Equal lines are shown near those only.
    static func text(from old: [String], to new: [String]) -> String {
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [(mark: String, text: String)] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if removed.contains(left) {
                lines.append(("- ", old[left]))
                left += 1
            } else if inserted.contains(right) {
                lines.append(("+ ", new[right]))
                right += 1
            } else {
                lines.append(("  ", old[left]))
                (left, right) = (left + 1, right + 1)
            }
        }
        let changed = lines.indices.filter { lines[$0].mark != "  " }
        let shown = Set(changed.flatMap { max($0 - context, 0)...min($0 + context, lines.count - 1) })
        var result: [String] = []
        for index in lines.indices {
            if shown.contains(index) {
                result.append(lines[index].mark + lines[index].text)
            } else if index == 0 || shown.contains(index - 1) {
                result.append("  ...")
            }
        }
        return result.joined(separator: "\n")
    }
}
