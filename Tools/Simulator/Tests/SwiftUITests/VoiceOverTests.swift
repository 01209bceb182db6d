import Foundation
import Testing
import ViewTree

@testable import SwiftUI

/// The elements that VoiceOver reads, from the rendered tree.
@MainActor
@Suite(.timeLimit(.minutes(2))) struct `What VoiceOver reads` {
    private func spoken(_ view: some View) -> [String] { lines(VoiceOverOrder(quiet(view).tree).elements) }

    /// One line for each element, indented in a container.
    private func lines(_ elements: [SpokenElement]) -> [String] {
        elements.flatMap { element in
            guard let children = element.children else { return [element.spoken] }
            return ["[\(element.label)]"] + lines(children).map { "  " + $0 }
        }
    }

    @Test func `is the label, the value, the traits and the hint of each element, in order`() {
        let view = VStack {
            Text("Moons").accessibilityAddTraits(.isHeader)
            Text("42").accessibilityLabel("Forty-two").accessibilityHint("Counts moons")
            Image(systemName: "moon.stars")
            Image(decorative: "sky")
            Button("Buy") {}.disabled(true)
            Button {
            } label: {
                Label("Cart", systemImage: "cart")
            }
            Link("Moon", destination: URL(fileURLWithPath: "/moon"))
            Text("Hidden").accessibilityHidden(true)
            Text("Seen").opacity(0)
            Spacer()
            Text("Padded").padding().accessibilityLabel("Wrapped").accessibilityValue("7")
        }
        #expect(
            spoken(view) == [
                "Moons, heading", "Forty-two. Counts moons", "moon stars, image", "Buy, button, dimmed", "Cart, button",
                "Moon, link",
                "Wrapped, 7",
            ])
    }

    @Test func `is one element for views that are combined, and a group for views that are contained`() {
        let view = VStack {
            HStack {
                Text("Mars")
                Text("2 moons")
                Button("Visit") {}
            }
            .accessibilityElement(children: .combine)
            HStack {
                Text("Io")
                Text("Europa")
            }
            .accessibilityElement(children: .contain)
            .accessibilityLabel("Jupiter")
            HStack {
                Text("Rings")
                Text("7")
            }
            .accessibilityElement()
            .accessibilityLabel("Saturn")
            HStack { Text("Nothing") }.accessibilityElement()
        }
        #expect(
            spoken(view) == ["Mars, 2 moons, Visit, button", "[Jupiter]", "  Io", "  Europa", "Saturn"])
    }

    @Test func `is the state of controls`() {
        let view = Form {
            Section("Options") {
                Toggle("Wi-Fi", isOn: .constant(true))
                Slider(value: .constant(0.25)) { Text("Volume") }
                TextField("Name", text: .constant("Ada"))
                SecureField("Password", text: .constant(""))
                Stepper("Guests", value: .constant(1), in: 1...3)
                Picker("Planet", selection: .constant(1)) {
                    Text("Mars").tag(0)
                    Text("Venus").tag(1)
                }
                Picker("Size", selection: .constant(0)) {
                    Text("S").tag(0)
                    Text("M").tag(1)
                }
                .pickerStyle(.segmented)
                ProgressView("Loading", value: 0.5)
            }
        }
        #expect(
            spoken(view) == [
                "Options, heading", "Wi-Fi, on, switch button", "Volume, 25%, adjustable", "Name, Ada, text field",
                "Password, secure text field", "Guests, Decrement, button, dimmed", "Guests, Increment, button",
                "Planet, Venus, pop-up button", "selected, S, button, 1 of 2", "M, button, 2 of 2", "Loading, 50%",
            ])
    }

    @Test func `begins with the bar of the page, and ends with the tabs`() {
        let view = TabView {
            NavigationStack {
                List { NavigationLink("Earth") { Text("Home") } }
                    .navigationTitle("Planets")
                    .toolbar {
                        ToolbarItem(placement: .navigationBarLeading) { Button("Edit") {} }
                        ToolbarItem(placement: .navigationBarTrailing) { Button("Add") {} }
                    }
            }
            .tabItem { Label("Sky", systemImage: "moon") }
            Text("Other").tabItem { Text("Cart") }
        }
        let host = quiet(view)
        #expect(
            lines(VoiceOverOrder(host.tree).elements) == [
                "Edit, button", "Planets, heading", "Add, button", "Earth, button", "selected, Sky, tab, 1 of 2",
                "Cart, tab, 2 of 2",
            ])
        let row = host.tree.root.first { $0.kind == .link || ($0.kind == .button && $0.texts == ["Earth"]) }
        host.send(ViewEvent(node: row?.id ?? 0, action: .tap))
        #expect(lines(VoiceOverOrder(host.tree).elements).prefix(2) == ["Back, button", "Home"])
    }

    @Test func `is only what is in front`() {
        struct Asking: View {
            @State private var asks = true
            var body: some View {
                Text("Behind").alert("Delete?", isPresented: $asks) {
                    Button("Delete", role: .destructive) {}
                    Button("Keep", role: .cancel) {}
                } message: {
                    Text("It is gone then.")
                }
            }
        }
        let spoken = spoken(Asking())
        #expect(spoken.prefix(2) == ["Delete?, heading", "It is gone then."])
        #expect(Set(spoken.dropFirst(2)) == ["Delete, button", "Keep, button"])
    }
}
