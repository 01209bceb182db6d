import ViewTree

/// The window: the app's content, and the sheets and alerts over it.
struct RootView: View {
    let content: any View
}

extension RootView: PrimitiveView {
    typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] {
        let images = ImageFetcher(store: node.graph.images)
        return [Slot(.position(0), content) { $0.imageFetcher = images }]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let merged = Output(merging: children)
        let environment = node.environment
        return Output(
            RenderedNode(
                id: node.id, kind: .window,
                properties: [
                    "colorScheme": .string(environment.colorScheme == .dark ? "dark" : "light"),
                    "dynamicTypeSize": .string(environment.dynamicTypeSize.name),
                    // The direction of the app's language, not the phone's. No app here is translated.
                    "layoutDirection": "leftToRight",
                ],
                children: [RenderedNode(id: node.wrapperID(around: 0), kind: .content, children: merged.nodes)]
                    + merged.preferences.presentations,
            )
        )
    }
}
