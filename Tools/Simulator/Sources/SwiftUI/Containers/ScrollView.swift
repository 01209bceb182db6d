import ViewTree

/// A scrollable view. The page scrolls it.
public struct ScrollView<Content: View>: View {
    let axes: Axis.Set
    let showsIndicators: Bool
    let content: Content

    public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {
        self.axes = axes
        self.showsIndicators = showsIndicators
        self.content = content()
    }
}

extension ScrollView: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] {
        let container = node.scrollContainer
        return [
            Slot(.position(0), content) {
                $0.enterScrollView()
                $0.scrollContainer = container
            }
        ]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let output = Output(merging: children)
        var actions = node.acceptScrollReports(for: node.scrollContainer)
        if let refresh = node.environment.refresh {
            actions.append(.refresh)
            let graph = node.graph
            node.handle(.refresh) { _ = graph.run(.userInitiated) { await refresh() } }
        }
        return Output(
            RenderedNode(
                id: node.id, kind: .scroll,
                properties: [
                    "horizontal": .bool(axes.contains(.horizontal)), "vertical": .bool(axes.contains(.vertical)),
                    "indicators": .bool(hasIndicators(in: node.environment)),
                ].merging(node.environment.scrollProperties) { $1 },
                actions: actions, children: output.nodes,
            ),
            preferences: output.preferences,
        )
    }

    /// Returns true if the view has an indicator along any of its axes.
    private func hasIndicators(in environment: EnvironmentValues) -> Bool {
        let isShownAcross =
            axes.contains(.horizontal) && !environment.horizontalScrollIndicatorVisibility.isHidden
        let isShownDown = axes.contains(.vertical) && !environment.verticalScrollIndicatorVisibility.isHidden
        return showsIndicators && (isShownAcross || isShownDown)
    }
}
