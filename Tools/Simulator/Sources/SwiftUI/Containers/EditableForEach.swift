public import Foundation
import ViewTree

/// A `ForEach` whose rows can be deleted or moved.
public struct _EditableForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: DynamicViewContent {
    let base: ForEach<Data, ID, Content>
    var delete: ((IndexSet) -> Void)?
    var move: ((IndexSet, Int) -> Void)?
    @State var actions = RowActions()

    public var data: Data { base.data }

    public var body: some View {
        actions.delete = delete
        actions.move = move
        return base.editable(actions, deletes: delete != nil, moves: move != nil)
    }

    /// Lets the user delete rows. The action removes the elements at the offsets.
    @MainActor
    public func onDelete(perform action: ((IndexSet) -> Void)?) -> _EditableForEach {
        _EditableForEach(base: base, delete: action, move: move)
    }

    /// Lets the user move rows in edit mode. The action moves the elements at the offsets before another offset.
    @MainActor
    public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> _EditableForEach {
        _EditableForEach(base: base, delete: delete, move: action)
    }
}

extension ForEach where Content: View {
    /// The rows, which the user may delete or move by the actions.
    @MainActor
    func editable(_ actions: RowActions, deletes: Bool, moves: Bool) -> ForEach<Data, ID, _EditableRow<Content>> {
        actions.offset = { position(of: $0) }
        actions.count = data.count
        let offsets: [ID: Int] =
            moves
            ? Dictionary(data.enumerated().map { (id($0.element), $0.offset) }, uniquingKeysWith: { first, _ in first })
            : [:]
        return ForEach<Data, ID, _EditableRow<Content>>(
            data: data,
            content: { element in
                let id = id(element)
                return _EditableRow(
                    content: content(element), id: id, actions: actions, isDeletable: deletes, offset: offsets[id])
            },
            id: id)
    }

    /// Lets the user delete rows. The action removes the elements at the offsets.
    @MainActor
    public func onDelete(perform action: ((IndexSet) -> Void)?) -> _EditableForEach<Data, ID, Content> {
        _EditableForEach(base: self, delete: action)
    }

    /// Lets the user move rows in edit mode. The action moves the elements at the offsets before another offset.
    @MainActor
    public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> _EditableForEach<Data, ID, Content> {
        _EditableForEach(base: self, move: action)
    }
}

extension _EditableForEach: LazyContent {
    var count: Int { base.count }
    func position(of id: AnyHashable) -> Int? { base.position(of: id) }

    func first(_ limit: Int) -> any View {
        _EditableForEach<Data.SubSequence, ID, Content>(base: base.prefix(limit), delete: delete, move: move)
    }
}

/// The newest actions of a `ForEach`. All of its rows share the object, so that other actions change no row.
@MainActor
final class RowActions {
    var delete: ((IndexSet) -> Void)?
    var move: ((IndexSet, Int) -> Void)?
    var offset: (AnyHashable) -> Int? = { _ in nil }
    var count = 0

    nonisolated init() {}

    func delete(_ id: AnyHashable) {
        if let offset = offset(id) { delete?(IndexSet(integer: offset)) }
    }

    /// - Returns: `false` if there is no such place.
    func move(_ id: AnyHashable, to target: Int) -> Bool {
        guard let move, let offset = offset(id), (0...count).contains(target) else { return false }
        move(IndexSet(integer: offset), target)
        return true
    }
}

/// A row that the user may delete, by the system's swipe action, or move.
public struct _EditableRow<Content: View>: View {
    let content: Content
    let id: AnyHashable
    let actions: RowActions
    let isDeletable: Bool
    /// The place of the row; `nil` if it cannot be moved.
    let offset: Int?
    @Environment(\.locale) private var locale

    public var body: some View {
        content
            .modifier(RowEditModifier(id: id, actions: actions, isDeletable: isDeletable, offset: offset))
            .modifier(SwipeActionsModifier(edge: .trailing, actions: deleteButton, isDeletion: true))
    }

    @ViewBuilder private var deleteButton: some View {
        if isDeletable {
            Button(
                SystemWord.delete.text(for: locale), role: .destructive,
            ) { actions.delete(id) }
        }
    }
}

private struct RowEditModifier: PrimitiveModifier {
    typealias Body = Never
    let id: AnyHashable
    let actions: RowActions
    let isDeletable: Bool
    let offset: Int?

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        let environment = node.environment
        for index in output.elements.indices {
            let row = output.elements[index].traits.disabledEdits
            output.elements[index].traits.isDeletable = isDeletable && !environment.disables(\.delete, of: row)
        }
        guard let offset, environment.isEnabled, environment.isInList, environment.isEditing else { return output }
        node.handle(.move) { value in
            let number = value?.number ?? value?.string.flatMap(Double.init)
            guard let number, let target = Int(exactly: number) else { return false }
            return actions.move(id, to: target)
        }
        let place: [String: NodeValue] = [
            "moveOffset": .number(Double(offset)), "moveGroup": .number(Double(group(node))),
        ]
        for index in output.elements.indices
        where !environment.disables(\.move, of: output.elements[index].traits.disabledEdits) {
            output.elements[index].node = output.elements[index].node.adding(place, actions: [.move])
        }
        return output
    }

    /// The id of the `ForEach` around, within which the row can move.
    private func group(_ node: ViewNode) -> Int {
        var at: ViewNode? = node
        while let current = at {
            if case .element = current.key { return current.parent?.id ?? current.id }
            at = current.parent
        }
        return node.id
    }
}
