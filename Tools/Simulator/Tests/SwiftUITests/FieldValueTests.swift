import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `A field with a value` {
    private struct Form: View {
        @State private var amount = 1234.5
        @State private var count: Int? = 3
        @State private var page = ""
        @FocusState private var isFocused: Bool

        var body: some View {
            let format = FloatingPointFormatStyle<Double>(locale: Locale(identifier: "en_US"))
            TextField("Amount", value: $amount, format: format).focused($isFocused).accessibilityIdentifier("amount")
            TextField("Count", value: $count, format: .number).accessibilityIdentifier("count")
            TextField("Page", text: $page).keyboardType(.URL).textContentType(.URL).accessibilityIdentifier("page")
            Text(String(amount)).accessibilityIdentifier("value")
            Text(count.map { "\($0)" } ?? "none").accessibilityIdentifier("number")
            Text(isFocused ? "focused" : "blurred")
            Button("Reset") { amount = 1 }.accessibilityIdentifier("reset")
        }
    }

    private func text(_ host: ViewHost, _ name: String) -> NodeValue? {
        host.tree.root.identified(by: name)?.properties["text"]
    }

    @Test func `sets it as the user types, and shows it when the editing ends`() {
        let host = quiet(Form())
        #expect(text(host, "amount") == "1,234.5")
        host.perform(.focus, on: "amount")
        host.enter("2000.50", into: "amount")
        #expect(text(host, "amount") == "2000.50")
        #expect(text(host, "value") == "2000.5")
        #expect(host.perform(.submit, on: "amount") == .handled)
        #expect(text(host, "amount") == "2,000.5")
        #expect(host.tree.contains(text: "focused"))
        host.enter("much", into: "amount")
        #expect(text(host, "amount") == "much" && text(host, "value") == "2000.5")
        host.perform(.blur, on: "amount")
        #expect(text(host, "amount") == "2,000.5")
        #expect(host.tree.contains(text: "blurred"))
    }

    @Test func `shows what the app sets meanwhile`() {
        let host = quiet(Form())
        host.enter("7", into: "amount")
        host.tap("reset")
        #expect(text(host, "amount") == "1")
    }

    @Test func `that is optional is nil while it is empty`() {
        let host = quiet(Form())
        #expect(text(host, "count") == "3")
        host.enter("", into: "count")
        #expect(text(host, "number") == "none")
        host.enter("12", into: "count")
        #expect(text(host, "number") == "12")
    }

    @Test func `has a keyboard for addresses`() {
        let host = quiet(Form())
        #expect(host.tree.root.identified(by: "page")?.properties["keyboard"] == "url")
        #expect(UIKeyboardType.URL.rawValue == 3 && UIKeyboardType.numberPad.rawValue == 4)
    }
}
