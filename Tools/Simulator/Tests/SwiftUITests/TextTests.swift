import Foundation
import Testing
import ViewTree

@testable import SwiftUI

@MainActor
@Suite struct `A text` {
    /// The runs of the only text of a view: their words, and the named attribute of each that has it.
    private func runs<V: View>(_ view: V, _ name: String) -> [String] {
        let text = ViewHost(view).tree.root.first { $0.kind == .text }
        return (text?.properties["runs"]?.list ?? []).map { run in
            let words = run.list?.first?.string ?? ""
            let attributes = run.list?.last?.list ?? []
            let value = attributes.first { $0.list?.first?.string == name }?.list?.last
            return value.map { "\(words)=\($0.string ?? $0.number.map { String(Int($0)) } ?? "yes")" } ?? words
        }
    }

    @Test func `shows the Markdown of a literal`() {
        let text = Text("Plain **bold** and *italic*, `code`, ~~gone~~ and ***both***")
        #expect(ViewHost(text).tree.root.texts == ["Plain bold and italic, code, gone and both"])
        #expect(runs(text, "fontWeight")[1] == "bold=700")
        #expect(runs(text, "italic").filter { $0.contains("=") } == ["italic=yes", "both=yes"])
        #expect(runs(text, "fontDesign").filter { $0.contains("=") } == ["code=monospaced"])
        #expect(runs(text, "strikethrough").filter { $0.contains("=") } == ["gone=yes"])
    }

    @Test func `has space between its letters and above the baseline, around it and of its own`() {
        let text = Text("\(Text("A").kerning(1))\(Text("B").kerning(1).tracking(3))\(Text("C").baselineOffset(4))D")
        #expect(runs(text.tracking(2), "tracking") == ["A=2", "B=3", "C=2", "D=2"])
        #expect(runs(text, "tracking") == ["A=1", "B=3", "C", "D"])
        #expect(runs(text.baselineOffset(-5), "baselineOffset") == ["A=-5", "B=-5", "C=4", "D=-5"])
        let around = ViewHost(VStack { Text("E") }.kerning(1.5).baselineOffset(2)).tree.root.first { $0.kind == .text }
        #expect(around?.properties["tracking"] == 1.5 && around?.properties["baselineOffset"] == 2)
    }

    @Test func `has at least and at most some lines`() {
        func limits<V: View>(_ view: V) -> [Double?] {
            let properties = ViewHost(view).tree.root.first { $0.kind == .text }?.properties
            return [properties?["leastLines"]?.number, properties?["lineLimit"]?.number]
        }
        let text = Text("Words")
        #expect(limits(text.lineLimit(2)) == [nil, 2])
        #expect(limits(text.lineLimit(2...)) == [2, nil])
        #expect(limits(text.lineLimit(...4)) == [nil, 4])
        #expect(limits(text.lineLimit(2...4)) == [2, 4])
        #expect(limits(text.lineLimit(3, reservesSpace: true)) == [3, 3])
        #expect(limits(text.lineLimit(3, reservesSpace: false).lineLimit(2...)) == [nil, 3], "the innermost applies")
    }

    @Test func `shows a date or a time in the locale of the view`() throws {
        struct Moments: View {
            let moment: Date
            var body: some View {
                Text(moment, style: .date)
                Text(moment, style: .time)
            }
        }
        let parts = DateComponents(year: 2019, month: 6, day: 3, hour: 23, minute: 11)
        let host = ViewHost(Moments(moment: try #require(Calendar.current.date(from: parts))))
        #expect(host.tree.root.texts.map { $0.replacing("\u{202F}", with: " ") } == ["June 3, 2019", "11:11 PM"])
        host.traits.locale = Locale(identifier: "de_DE")
        #expect(host.tree.root.texts == ["3. Juni 2019", "23:11"])
    }

    @Test func `shows markers without a counterpart, escaped ones and those of a variable as they are`() {
        let name = "**not bold**"
        let texts: [Text] = [
            Text("2 * 3 * 4"), Text("snake_case_name"), Text("\\*stars\\*"), Text(verbatim: "**a**"), Text(name),
            Text("\(name)"), Text("[no link]"),
        ]
        let shown = texts.map { ViewHost($0).tree.root.texts[0] }
        #expect(
            shown == [
                "2 * 3 * 4", "snake_case_name", "*stars*", "**a**", "**not bold**", "**not bold**", "[no link]",
            ])
    }

    @Test func `interpolates texts with their style, and images`() {
        let text = Text("Hello \(Text("you").bold().foregroundColor(.red)), \(Image(systemName: "star")) **\(3)**")
        #expect(ViewHost(text).tree.root.texts == ["Hello you,  3"])
        #expect(
            runs(text, "color") == ["Hello =primary", "you=red", ", =primary", "=primary", " =primary", "3=primary"])
        #expect(runs(text, "symbol")[3] == "=star")
        #expect(runs(text, "fontWeight").filter { $0.hasSuffix("700") } == ["you=700", "3=700"])
    }

    @Test func `formats numbers by a specifier and in the locale of the view`() {
        struct Numbers: View {
            let rate = 3.14159
            let count = 1_234
            var body: some View { Text("\(rate, specifier: "%.2f") of \(count)") }
        }
        let host = ViewHost(Numbers())
        #expect(host.tree.root.texts == ["3.14 of 1,234"])
        host.traits.locale = Locale(identifier: "de_DE")
        #expect(host.tree.root.texts == ["3,14 of 1.234"])
    }

    @Test func `opens its links, by the handler of the views around or by the system`() throws {
        let host = ViewHost(Text("See [the moon](https://example.com/moon) and [Io](https://example.com/io)"))
        let text = try #require(host.tree.root.first { $0.kind == .text })
        #expect(host.send(ViewEvent(node: text.id, action: .tap, value: 3)) == .handled)
        #expect(host.send(ViewEvent(node: text.id, action: .tap, value: 0)) == .invalidValue)
        #expect(host.openedURLs.map(\.lastPathComponent) == ["io"])
        let journal = Journal()
        let handled = ViewHost(
            Link("Moon", destination: try #require(URL(string: "https://example.com/moon")))
                .accessibilityIdentifier("link")
                .environment(
                    \.openURL,
                    OpenURLAction { url in
                        journal.note(url.lastPathComponent)
                        return .handled
                    }))
        handled.tap("link")
        #expect(journal.lines == ["moon"])
        #expect(handled.openedURLs.isEmpty)
    }
}
