import Foundation
import SwiftUI
import Testing
import ViewTree

/// Names of iOS 16 to 26 that set the look of a bar, a sheet or a control.
@MainActor
@Suite struct `In a newer app` {
    private func first(_ host: ViewHost, _ kind: NodeKind) -> RenderedNode? { host.tree.root.first { $0.kind == kind } }

    @Test func `a page has a second line under its title, and a bar for an editor`() {
        let host = quiet(
            NavigationStack {
                Text("a").navigationTitle("Chat").navigationSubtitle("\(3) messages").toolbarRole(.editor)
                    .toolbarTitleDisplayMode(.inlineLarge)
            })
        let page = first(host, .page)
        #expect(page?.properties["subtitle"] == "3 messages")
        #expect(page?.properties["role"] == "editor")
        #expect(page?.properties["displayMode"] == "inlineLarge")
        #expect(VoiceOverOrder(host.tree).elements.first?.spoken == "Chat, 3 messages, heading")
    }

    private struct Sheets: View {
        let isClear: Bool

        var body: some View {
            Text("a").sheet(isPresented: .constant(true)) {
                if isClear {
                    Text("b").presentationBackground { Color.red }
                } else {
                    Text("b").presentationBackground(.thinMaterial).presentationCornerRadius(24)
                        .presentationSizing(.page)
                }
            }
        }
    }

    @Test func `a sheet has its own background, corners and size`() {
        let sheet = first(quiet(Sheets(isClear: false)), .sheet)
        #expect(sheet?.properties["background"] == "material:thin")
        #expect(sheet?.properties["radius"] == 24)
        #expect(sheet?.properties["sizing"] == "page")
        let behind = first(quiet(Sheets(isClear: true)), .sheet)
        #expect(behind?.properties["background"] == "#000000/0")
        #expect(behind?.children.map(\.kind) == [.layer, .text])
        #expect(behind?.children.first?.children.first?.properties["fill"] == "red")
    }

    private struct Values: View {
        @State private var limit = 10.0
        @State private var plan = 1

        var body: some View {
            Form {
                Stepper(value: $limit, in: 0...20, step: 5, format: .number.precision(.fractionLength(1))) {
                    Text("Limit")
                }
                .accessibilityIdentifier("limit")
                Picker(selection: $plan) {
                    ForEach(1..<3) { Text("Plan \($0)").tag($0) }
                } label: {
                    Text("Plan")
                } currentValueLabel: {
                    Text("No. \(plan)")
                }
                ProgressView(value: 0.5) {
                    Text("Copying")
                } currentValueLabel: {
                    Text("3 of 6")
                }
            }
        }
    }

    @Test func `a control has its value in the app's own words`() {
        let host = quiet(Values())
        host.perform(.increment, on: "limit")
        #expect(first(host, .stepper)?.properties["value"] == "15.0")
        host.perform(.increment, on: "limit")
        #expect(host.perform(.increment, on: "limit") == .notOffered)
        let read = VoiceOverOrder(host.tree).elements.map(\.spoken)
        #expect(read.contains("Plan, No. 1, pop-up button"))
        #expect(read.contains("Copying, 3 of 6"))
        #expect(first(host, .progress)?.children.last?.kind == .footer)
    }

    private struct Ring: ProgressViewStyle {
        func makeBody(configuration: Configuration) -> some View {
            HStack {
                configuration.label
                configuration.currentValueLabel
            }
        }
    }

    @Test func `a style of progress views shows the value in words`() {
        let host = quiet(
            ProgressView(value: 0.5) {
                Text("Work")
            } currentValueLabel: {
                Text("half")
            }
            .progressViewStyle(Ring()))
        #expect(host.tree.root.texts == ["Work", "half"])
    }

    private struct Editor: View {
        @FocusState private var isNaming: Bool
        @State private var name = ""

        var body: some View {
            Form { TextField("Name", text: $name).focused($isNaming).accessibilityIdentifier("name") }
                .defaultFocus($isNaming, true)
        }
    }

    @Test func `a field has the focus when the view appears, and not again`() {
        let host = quiet(Editor())
        #expect(host.tree.root.identified(by: "name")?.properties["focused"] == true)
        host.perform(.blur, on: "name")
        host.enter("Ada", into: "name")
        #expect(host.tree.root.identified(by: "name")?.properties["focused"] == false)
    }

    private struct Stored: View {
        @AppStorage("count") private var count = 0
        let name: String

        var body: some View {
            Button("count \(count)") { count += 1 }.accessibilityIdentifier(name)
        }
    }

    @Test func `stored values are in the store of the views around`() throws {
        let suite = "NewerIdiomTests.\(UUID())"
        let store = try #require(UserDefaults(suiteName: suite))
        defer { store.removePersistentDomain(forName: suite) }
        store.set(7, forKey: "count")
        let host = quiet(
            VStack {
                Stored(name: "own").defaultAppStorage(store)
                Stored(name: "same").defaultAppStorage(store)
            })
        #expect(host.tree.root.identified(by: "own")?.texts == ["count 7"])
        host.tap("own")
        #expect(host.tree.root.identified(by: "same")?.texts == ["count 8"])
        #expect(store.integer(forKey: "count") == 8)
    }

    @Test func `dots lie on a background, and buttons are of glass`() {
        let pages = quiet(
            TabView {
                Text("a")
                Text("b")
            }
            .tabViewStyle(.page).indexViewStyle(.page(backgroundDisplayMode: .always)))
        #expect(first(pages, .tabBar)?.properties["indexBackground"] == true)
        let host = quiet(Button("b") {}.buttonStyle(.glassProminent))
        #expect(first(host, .button)?.properties["style"] == "glassProminent")
        #expect(first(host, .button)?.properties["tint"] == "accent")
    }

    @Test func `what is copied is there to paste`() {
        let board = UIPasteboard.general
        board.string = "https://example.com/a"
        #expect(board.hasStrings && board.url?.path == "/a")
        let count = board.changeCount
        board.url = URL(string: "https://example.com/b")
        #expect(board.string == "https://example.com/b" && board.changeCount == count + 1)
        board.strings = nil
        #expect(!board.hasURLs)
    }

    @Test func `a spring is made by its duration and bounce, or by its physics`() {
        #expect(Spring.bouncy(duration: 0.3, extraBounce: 0.2).bounce == 0.5)
        #expect(Animation.spring(.bouncy) == .bouncy)
        let spring = Spring(mass: 1, stiffness: 4 * .pi * .pi, damping: 2 * .pi)
        #expect(abs(spring.duration - 1) < 1e-9 && abs(spring.bounce - 0.5) < 1e-9)
        #expect(Spring(response: 1, dampingRatio: 2).dampingRatio == 2)
    }
}
