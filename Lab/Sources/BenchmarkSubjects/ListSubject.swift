#if os(Linux)
import Combine
import SwiftUI
import ViewTree

/// A list with all of its rows on the screen, of which one changes at a time.
@MainActor
public final class ListSubject {
    public enum Kind: CaseIterable, Sendable {
        case texts, buttons, editable

        public var name: String {
            switch self {
            case .texts: "two texts"
            case .buttons: "a text and a button"
            case .editable: "two texts, which the user can delete"
            }
        }
    }

    private let model: ListModel
    private let host: ViewHost
    /// The screen at the other end of the link.
    private var received: RenderedTree
    private var changes = 0

    public init(_ kind: Kind, rows: Int) {
        model = ListModel(rows)
        host = ViewHost(ListScreen(model: model, kind: kind))
        while let rest = host.tree.root.first({ $0.kind == .placeholder }) {
            host.send(ViewEvent(node: rest.id, action: .appear))
        }
        received = host.tree
    }

    /// Changes the next row, brings the screen up to date, and patches the other end.
    ///
    /// - Returns: The number of nodes in the patch.
    @discardableResult
    public func change() -> Int {
        model.rows[changes % model.rows.count].isDone.toggle()
        changes += 1
        host.update()
        let patch = TreePatch(from: received, to: host.tree)
        received = patch.applied(to: received) ?? host.tree
        return patch.nodes.count
    }
}

private final class ListModel: ObservableObject {
    struct Row: Identifiable {
        let id: Int
        var isDone = false
    }

    @Published var rows: [Row]

    init(_ count: Int) {
        rows = (0..<count).map { Row(id: $0) }
    }
}

private struct ListScreen: View {
    @ObservedObject var model: ListModel
    let kind: ListSubject.Kind

    var body: some View {
        switch kind {
        case .texts: List { ForEach(model.rows) { TextRow(row: $0) } }
        case .buttons:
            List {
                ForEach(model.rows) { row in
                    HStack {
                        Text("Row \(row.id)")
                        Button(row.isDone ? "done" : "open") { model.rows[row.id].isDone.toggle() }
                    }
                }
            }
        case .editable:
            List { ForEach(model.rows) { TextRow(row: $0) }.onDelete { model.rows.remove(atOffsets: $0) } }
        }
    }
}

private struct TextRow: View {
    let row: ListModel.Row

    var body: some View {
        HStack(spacing: 12) {
            Text("Row \(row.id)").font(.headline)
            Spacer()
            Text(row.isDone ? "done" : "open").foregroundStyle(.secondary)
        }
    }
}
#endif
