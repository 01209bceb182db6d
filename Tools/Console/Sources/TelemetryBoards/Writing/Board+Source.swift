import Foundation
import Yams

extension Board {
    /// The board as a file, with the comments and the lines of everything that did not change.
    ///
    /// - Parameter source: The file as it is. If it cannot be kept in parts, the whole file is written again.
    package func yaml(replacing source: String) -> String {
        guard let old = try? Board(yaml: source, file: ""), let blocks = SourceBlocks(source, old) else { return yaml }
        var lines: [String] = old.header == header ? blocks.header : header
        lines += Self.section("panels", panels, old: old.panels, blocks: blocks.panels) { $0.text }
        lines += Self.section("alerts", alerts, old: old.alerts, blocks: blocks.alerts) { $0.text }
        let text = lines.joined(separator: "\n") + "\n"
        // Whatever the layout of the file: only a text that is this board is written.
        return (try? Board(yaml: text, file: "")) == self ? text : yaml
    }

    private static func section<Item: Equatable>(
        _ name: String, _ items: [Item], old: [Item], blocks: [[String]], text: (Item) -> [String],
    ) -> [String] {
        guard !items.isEmpty else { return [] }
        var unused = Array(zip(old, blocks))
        return ["\(name):"]
            + items.flatMap { item -> [String] in
                guard let index = unused.firstIndex(where: { $0.0 == item }) else { return text(item) }
                return unused.remove(at: index).1
            }
    }
}

/// The lines of a file, divided among the header and the items. A comment belongs to what follows it.
private struct SourceBlocks {
    var header: [String] = []
    var panels: [[String]] = []
    var alerts: [[String]] = []

    init?(_ source: String, _ board: Board) {
        guard let mapping = try? Yams.compose(yaml: source)?.mapping else { return nil }
        var lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        // The first lines of the sections and of their items, in the order of the file.
        var starts: [(line: Int, section: String, isItem: Bool)] = []
        for (key, value) in mapping {
            guard let name = key.scalar?.string, let line = key.mark?.line else { return nil }
            starts.append((line - 1, name == "panels" || name == "alerts" ? name : "", false))
            guard name == "panels" || name == "alerts" else { continue }
            for item in value.sequence ?? [] {
                guard let line = item.mark?.line else { return nil }
                starts.append((line - 1, name, true))
            }
        }
        let bounds = starts.map { start in
            var first = start.line
            while first > 0, Self.isComment(lines[first - 1]) { first -= 1 }
            return first
        }
        for (index, start) in starts.enumerated() {
            let first = index == 0 ? 0 : bounds[index]
            let end = index + 1 < starts.count ? bounds[index + 1] : lines.count
            guard first <= end, end <= lines.count else { return nil }
            let block = Array(lines[first..<end])
            switch (start.section, start.isItem) {
            case ("panels", true): panels.append(block)
            case ("alerts", true): alerts.append(block)
            // The line of the section's key is written again. A comment above it belongs to the header.
            case ("panels", false), ("alerts", false): header += block.filter(Self.isComment)
            default: header += block
            }
        }
        guard panels.count == board.panels.count, alerts.count == board.alerts.count else { return nil }
    }

    private static func isComment(_ line: String) -> Bool {
        let text = line.drop { $0 == " " }
        return text.isEmpty || text.hasPrefix("#")
    }
}
