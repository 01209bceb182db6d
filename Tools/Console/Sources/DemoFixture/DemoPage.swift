import AstrolabeTestSupport
import Foundation

/// The steps of Docs/Guide/Demo.md, as a presenter reads them.
///
/// A step is a heading that names a number of clicks, and below it a table. What is bold in the first column is
/// clicked, in this order. `**+** ×9` is nine clicks.
package struct DemoPage: Sendable {
    package struct Step: Sendable {
        package let title: String
        /// The number in the heading.
        package let clickCount: Int
        /// The names of what is clicked, as they are on the screen, one for each click.
        package let clicks: [String]
    }

    private struct NoStep: Error {
        let title: String
        let steps: [String]
    }

    package let steps: [Step]

    package static func read() throws -> DemoPage {
        DemoPage(text: try String(contentsOf: Repository.file("Docs/Guide/Demo.md"), encoding: .utf8))
    }

    package func step(_ title: String) throws -> Step {
        guard let step = steps.first(where: { $0.title == title }) else {
            throw NoStep(title: title, steps: steps.map(\.title))
        }
        return step
    }

    init(text: String) {
        steps = text.components(separatedBy: "\n#").compactMap(Self.step)
    }

    private static func step(_ section: String) -> Step? {
        let lines = section.split(separator: "\n")
        guard let heading = lines.first?.firstMatch(of: /#* ?(.+) \((?:[0-9]+ min, )?([0-9]+) clicks?\)/),
            let clickCount = Int(heading.2)
        else { return nil }
        let clicks = lines.filter { $0.hasPrefix("| ") }.flatMap { line -> [String] in
            let column = line.dropFirst(2).prefix { $0 != "|" }
            return column.matches(of: /\*\*(.+?)\*\*(?: ×([0-9]+))?/).flatMap { click in
                Array(repeating: String(click.1), count: click.2.flatMap { Int($0) } ?? 1)
            }
        }
        return Step(title: String(heading.1), clickCount: clickCount, clicks: clicks)
    }
}
