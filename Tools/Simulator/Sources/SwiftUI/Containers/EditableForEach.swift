public import Foundation
import ViewTree

/// A `ForEach` whose rows can be deleted or moved.
public struct _EditableForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: DynamicViewContent {
    let base: ForEach<Data, ID, Content>
    var delete: ((IndexSet) -> Void)?
    var move: ((IndexSet, Int) -> Void)?

    public var data: Data { base.data }

    public var body: some View {
        let (delete, move, content, id) = (delete, move, base.content, base.id)
        let offsets = Dictionary(
            base.data.enumerated().map { (id($0.element), $0.offset) }, uniquingKeysWith: { first, _ in first }, )
        let count = offsets.count
        ForEach<Data, ID, _EditableRow<Content>>(
            data: base.data,
            content: { element in
                let offset = offsets[id(element)] ?? 0
                return _EditableRow(
                    content: content(element), offset: offset, count: count,
                    delete: delete.map { delete in { delete(IndexSet(integer: offset)) } },
                    move: move.map { move in { move(IndexSet(integer: offset), $0) } }, )
            },
            id: id,
        )
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

/// A row that the user may delete, by the system's swipe action, or move.
public struct _EditableRow<Content: View>: View {
    let content: Content
    let offset: Int
    let count: Int
    let delete: (() -> Void)?
    let move: ((Int) -> Void)?
    @Environment(\.locale) private var locale

    public var body: some View {
        content
            .modifier(RowEditModifier(offset: offset, count: count, isDeletable: delete != nil, move: move))
            .swipeActions {
                if let delete {
                    Button(
                        SystemWord.delete.text(in: Translations.main.language(for: locale)), role: .destructive,
                    ) { delete() }
                }
            }
    }
}

private struct RowEditModifier: PrimitiveModifier {
    typealias Body = Never
    let offset: Int
    let count: Int
    let isDeletable: Bool
    let move: ((Int) -> Void)?

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        for index in output.elements.indices { output.elements[index].traits.isDeletable = isDeletable }
        let environment = node.environment
        guard let move, environment.isEnabled, environment.isInList, environment.isEditing else { return output }
        node.handle(.move) { value in
            let number = value?.number ?? value?.string.flatMap(Double.init)
            guard let number, let target = Int(exactly: number), (0...count).contains(target) else { return false }
            move(target)
            return true
        }
        let place: [String: NodeValue] = [
            "moveOffset": .number(Double(offset)), "moveGroup": .number(Double(group(node))),
        ]
        for index in output.elements.indices {
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
