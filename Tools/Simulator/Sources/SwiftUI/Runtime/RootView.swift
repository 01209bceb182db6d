import ViewTree

/// The window: the app's content, and the sheets and alerts over it.
struct RootView: View {
    let content: any View
}

extension RootView: PrimitiveView {
    typealias Body = Never

    private final class Window {
        let editScope = EditScope()
        let scheme = SchemeChoice()
    }

    private func window(_ node: ViewNode) -> Window {
        if let window = node.storage as? Window { return window }
        let window = Window()
        node.storage = window
        return window
    }

    func slots(in node: ViewNode) -> [Slot] {
        let images = ImageFetcher(store: node.graph.images)
        let graph = node.graph
        let window = window(node)
        return [
            Slot(.position(0), content) {
                window.scheme.apply(to: &$0)
                $0.editMode = window.editScope.binding
                $0.imageFetcher = images
                $0.openURL = OpenURLAction(id: 1, handler: { _ in .systemAction }) { [weak graph] in
                    graph?.openedURLs.append($0)
                }
            }
        ]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let merged = Output(merging: children)
        let environment = node.environment
        let scheme = window(node).scheme.adopt(merged.preferences.colorScheme, in: node)
        let content = RenderedNode(id: node.wrapperID(.content), kind: .content, children: merged.nodes)
        return Output(
            RenderedNode(
                id: node.id, kind: .window,
                properties: [
                    "colorScheme": .string(scheme == .dark ? "dark" : "light"),
                    "dynamicTypeSize": .string(environment.dynamicTypeSize.name),
                    "language": .string(Translations.main.language(for: environment.locale)),
                    "systemWords": SystemWord.list(in: environment),
                    "layoutDirection": .string(String(describing: environment.layoutDirection)),
                ],
                children: Self.covered([content] + merged.preferences.presentations),
            )
        )
    }
    /// Marks all layers under the last full-screen cover as covered.
    private static func covered(_ layers: [RenderedNode]) -> [RenderedNode] {
        guard let cover = layers.lastIndex(where: { $0.properties["fullScreen"] == true }) else { return layers }
        return layers.enumerated().map { $0 < cover ? $1.adding(["covered": true]) : $1 }
    }
}
