import SwiftUI
import Testing
import ViewTree

@MainActor
@Suite struct `A scroll view` {
    private func nodes(_ host: ViewHost, _ kind: NodeKind) -> [RenderedNode] { host.tree.root.all { $0.kind == kind } }

    private func properties(_ view: some View, _ kind: NodeKind = .scroll) -> [[String: NodeValue]] {
        nodes(quiet(view), kind).map(\.properties)
    }

    @Test func `has margins for its content, which are not those of a scroll view inside`() {
        let found = properties(
            ScrollView {
                ScrollView(.horizontal) { Text("a") }
            }
            .contentMargins(.horizontal, 16, for: .scrollContent)
            .contentMargins(.top, 8)
            .contentMargins(40, for: .scrollIndicators))
        #expect(found[0]["marginLeading"] == 16 && found[0]["marginTrailing"] == 16)
        #expect(found[0]["marginTop"] == 8 && found[0]["marginBottom"] == nil)
        #expect(found[1]["marginLeading"] == nil && found[1]["marginTop"] == nil)
        let insets = properties(
            List { Text("a") }.contentMargins(
                [.leading, .bottom], EdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)),
            .list)
        #expect(insets[0]["marginLeading"] == 2 && insets[0]["marginBottom"] == 3)
        #expect(insets[0]["marginTop"] == nil && insets[0]["marginTrailing"] == nil)
    }

    @Test func `is inset by the safe area, and another view has padding`() {
        let view = VStack {
            ScrollView(.horizontal) { Text("a") }.contentMargins(.leading, 4).safeAreaPadding(.horizontal)
            Text("b").safeAreaPadding(.top, 20)
        }
        let host = quiet(view)
        #expect(nodes(host, .scroll)[0].properties["marginLeading"] == 20)
        #expect(nodes(host, .scroll)[0].properties["marginTrailing"] == 16)
        #expect(nodes(host, .padding).map(\.properties) == [["top": 20]])
    }

    @Test func `rests at the views of its target layout, begins at an anchor, and shows what is outside`() {
        let host = quiet(
            ScrollView(.horizontal) {
                LazyHStack { ForEach(0..<3) { Text("\($0)") } }.scrollTargetLayout()
            }
            .scrollTargetBehavior(.viewAligned).scrollClipDisabled().defaultScrollAnchor(.bottom))
        let scroll = nodes(host, .scroll)[0]
        #expect(scroll.properties["snaps"] == "view" && scroll.properties["unclipped"] == true)
        #expect(scroll.properties["anchor"] == [0.5, 1])
        #expect(nodes(host, .hstack)[0].properties["scrollTargets"] == true)
        let byOne = ScrollView { Text("a") }.scrollTargetBehavior(.viewAligned(limitBehavior: .always))
        #expect(properties(byOne)[0]["snaps"] == "page")
    }

    @Test func `or a list has its own space between rows and sections`() {
        let host = quiet(
            List {
                Text("loose")
                Section("One") { Text("a") }.listSectionSpacing(.compact)
                Section("Two") { Text("b") }
            }
            .listRowSpacing(8).listSectionSpacing(30))
        #expect(nodes(host, .list)[0].properties["rowSpacing"] == 8)
        #expect(nodes(host, .list)[0].properties["sectionSpacing"] == 30)
        #expect(nodes(host, .section).map { $0.properties["sectionSpacing"] } == [nil, 10, 30])
    }
}
