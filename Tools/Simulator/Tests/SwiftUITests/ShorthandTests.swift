import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `A shorthand` {
    private struct Styled: View {
        @State private var isWarning = false

        var body: some View {
            Button("Warn") { isWarning = true }.accessibilityIdentifier("warn")
            Text("styled")
                .foregroundStyle(isWarning ? AnyShapeStyle(.red) : AnyShapeStyle(AnyShapeStyle(.secondary)))
            Rectangle().fill(AnyShapeStyle(Color.green)).clipShape(.rect(cornerRadius: 6)).clipShape(.capsule)
            Text("moved").offset(CGSize(width: 3, height: 4))
            Color.blue.edgesIgnoringSafeArea(.top)
        }
    }

    private func text(_ host: ViewHost, _ words: String) -> RenderedNode? {
        host.tree.root.all { $0.properties["text"] == .string(words) }.first
    }

    @Test func `for a style of any type is the style inside`() {
        let host = quiet(Styled())
        #expect(text(host, "styled")?.properties["color"] == "secondary")
        host.tap("warn")
        #expect(text(host, "styled")?.properties["color"] == "red")
        #expect(host.tree.root.all { $0.kind == .shape }.map { $0.properties["fill"] } == ["green"])
    }

    @Test func `for a shape, an offset or edges is the same as the longer form`() {
        let root = quiet(Styled()).tree.root
        let clips = root.all { $0.kind == .clip }.map(\.properties)
        #expect(Set(clips.map { $0["shape"] }) == ["rectangle", "capsule"])
        #expect(clips.contains { $0["radius"] == 6 })
        #expect(root.all { $0.kind == .offset }.map(\.properties) == [["x": 3, "y": 4]])
        #expect(root.all { $0.kind == .ignoresSafeArea }.count == 1)
    }

    private struct Sizes: View {
        var body: some View {
            Text("small").dynamicTypeSize(.xSmall)
            Text("limited").dynamicTypeSize(...DynamicTypeSize.xLarge)
            Text("free").dynamicTypeSize(.small ... .accessibility5)
        }
    }

    @Test func `for the text size sets it, or limits the user's`() {
        let host = quiet(Sizes())
        host.traits.dynamicTypeSize = .xxLarge
        let sizes = ["small", "limited", "free"].map { text(host, $0)?.properties["fontSize"] }
        #expect(sizes == [14, 19, 21])
    }

    private struct Numbers: View {
        @State private var age = 30
        @State private var price: Decimal? = 9.5
        private let formatter: NumberFormatter = {
            let formatter = NumberFormatter()
            formatter.locale = Locale(identifier: "en_US")
            formatter.numberStyle = .decimal
            return formatter
        }()

        var body: some View {
            TextField("Age", value: $age, formatter: formatter).accessibilityIdentifier("age")
            TextField("Price", value: $price, formatter: formatter).accessibilityIdentifier("price")
            Text("age \(String(age))")
            Text("price \(price.map { "\($0)" } ?? "none")")
        }
    }

    @Test func `for a field with a formatter sets the value of a valid text`() {
        let host = quiet(Numbers())
        host.enter("1,234", into: "age")
        host.enter("12.25", into: "price")
        #expect(host.tree.contains(text: "age 1234"))
        #expect(host.tree.contains(text: "price 12.25"))
        host.enter("old", into: "age")
        host.perform(.submit, on: "age")
        #expect(host.tree.root.identified(by: "age")?.properties["text"] == "1,234")
    }

    private struct Failure: LocalizedError {
        let errorDescription: String? = "The file is empty."
        let recoverySuggestion: String? = "Choose another file."
    }

    private struct Failing: View {
        @State private var isFailing = false
        @State private var error: Failure?

        var body: some View {
            LabeledContent("Share", value: 0.25, format: .percent)
            Button("Fail") { (error, isFailing) = (Failure(), true) }.accessibilityIdentifier("fail")
            Button("Without an error") { (error, isFailing) = (nil, true) }.accessibilityIdentifier("nothing")
            Text("end").alert(isPresented: $isFailing, error: error) { _ in
                Button("OK") {}.accessibilityIdentifier("ok")
            } message: { error in
                Text(error.recoverySuggestion ?? "")
            }
        }
    }

    @Test func `for an error is an alert with its description, and none without an error`() {
        let host = quiet(Failing())
        host.tap("nothing")
        #expect(host.tree.root.all { $0.kind == .alert }.isEmpty)
        host.tap("fail")
        let alert = host.tree.root.all { $0.kind == .alert }.first
        #expect(alert?.properties["title"] == "The file is empty.")
        #expect(host.tree.contains(text: "Choose another file."))
        host.tap("ok")
        #expect(host.tree.root.all { $0.kind == .alert }.isEmpty)
    }

    @Test func `for a label and a value formats the value`() {
        #expect(quiet(Failing()).tree.root.texts.prefix(2) == ["Share", "25%"])
    }
}
