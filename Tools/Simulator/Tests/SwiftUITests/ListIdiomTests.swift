import SwiftUI
import Testing
import ViewTree

/// The modifiers of rows, sections and cells.
@MainActor
@Suite struct `A row or a cell` {
    private func rows(_ host: ViewHost) -> [RenderedNode] { host.tree.root.all { $0.kind == .row } }

    private struct Editable: View {
        @State private var names = ["a", "b", "c"]

        var body: some View {
            NavigationStack {
                List {
                    ForEach(names, id: \.self) { name in
                        Text(name).deleteDisabled(name == "a").moveDisabled(name == "b").accessibilityIdentifier(name)
                    }
                    .onDelete { names.remove(atOffsets: $0) }
                    .onMove { names.move(fromOffsets: $0, toOffset: $1) }
                }
                .toolbar { EditButton().accessibilityIdentifier("edit") }
            }
        }
    }

    private struct Locked: View {
        @State private var names = ["a", "b"]

        var body: some View {
            List {
                ForEach(names, id: \.self) { Text($0).deleteDisabled(false) }
                    .onDelete { names.remove(atOffsets: $0) }
                    .deleteDisabled(true)
            }
        }
    }

    @Test func `is not deleted or moved if it says so, or if its loop does`() {
        let host = quiet(Editable())
        #expect(rows(host).map { $0.children.count } == [1, 2, 2])
        host.tap("edit")
        #expect(rows(host).map { $0.properties["deletable"] } == [nil, true, true])
        #expect(host.perform(.move, on: "b", 0) == .notOffered)
        #expect(host.perform(.move, on: "c", 0) == .handled)
        #expect(rows(host).map(\.texts.first) == ["c", "a", "b"])
        #expect(rows(quiet(Locked())).map { $0.children.count } == [1, 1])
    }

    private struct Lines: View {
        var body: some View {
            List {
                Section("plain") { Text("0") }
                Section("large") {
                    Text("1").listRowSeparatorTint(.red)
                    Text("2")
                    Text("3").listRowSeparatorTint(.blue, edges: .bottom)
                }
                .headerProminence(.increased)
            }
        }
    }

    @Test func `colors the lines around it, of which the next row may color its own`() {
        let properties = rows(quiet(Lines())).map(\.properties)
        #expect(properties.map { $0["tintAbove"] } == [nil, "red", "red", nil])
        #expect(properties.map { $0["tintBelow"] } == [nil, "red", nil, "blue"])
    }

    @Test func `is below a large header, if the section's is prominent`() {
        let host = quiet(Lines())
        let headers = host.tree.root.all { $0.kind == .header }
        #expect(headers.map { $0.properties["prominent"] } == [nil, true])
        let fonts = headers.compactMap { $0.children.first?.properties["fontStyle"] }
        #expect(fonts == ["footnote", "title3"])
    }

    private struct Table: View {
        var body: some View {
            Grid {
                GridRow {
                    Text("name")
                    Text("amount").gridColumnAlignment(.trailing)
                }
                Divider().gridCellUnsizedAxes(.horizontal)
                GridRow {
                    Text("flour")
                    Text("200")
                }
                GridRow { Text("both").gridCellColumns(2) }
            }
        }
    }

    @Test func `is aligned with its column, and asks for no room if it has no size`() {
        let cells = quiet(Table()).tree.root.first { $0.kind == .grid }?.children.map(\.properties) ?? []
        #expect(cells.map { $0["columnAlignment"] } == [nil, "trailing", nil, nil, "trailing", nil])
        #expect(cells.map { $0["unsizedAcross"] } == [nil, nil, true, nil, nil, nil])
    }

    private struct Levels: View {
        var body: some View {
            Group {
                Text("first")
                Text("second").foregroundStyle(.secondary)
            }
            .foregroundStyle(.red, .blue)
            Text("third").foregroundStyle(.tertiary).foregroundStyle(.primary, .green, .orange)
        }
    }

    @Test func `has the color of its level`() {
        let texts = quiet(Levels()).tree.root.all { $0.kind == .text }
        #expect(texts.map { $0.properties["color"] } == ["red", "blue", "orange"])
    }

    private struct Held: View {
        var body: some View {
            Text("photo")
                .contextMenu {
                    Button("Copy") {}
                } preview: {
                    Text("large photo")
                }
                .accessibilityIdentifier("photo")
        }
    }

    @Test func `shows a preview beside its open menu`() {
        let host = quiet(Held())
        #expect(host.tree.root.texts == ["photo"])
        host.perform(.longPress, on: "photo")
        let menu = host.tree.root.first { $0.kind == .contextMenu }
        #expect(menu?.children.map(\.kind) == [.text, .layer, .choices])
        #expect(host.tree.root.texts == ["photo", "large photo", "Copy"])
        host.perform(.dismiss, on: "photo")
        #expect(host.tree.root.texts == ["photo"])
    }
}
