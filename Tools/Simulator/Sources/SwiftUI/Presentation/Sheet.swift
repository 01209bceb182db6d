import ViewTree

/// What is presented over the rest while there is something to present.
private struct SheetModifier: PrimitiveModifier {
    typealias Body = Never
    /// The identity of what is presented; nil while nothing is.
    let identity: () -> AnyHashable?
    let dismiss: () -> Void
    let onDismiss: (() -> Void)?
    let isFullScreen: Bool
    let content: () -> (any View)?

    private final class Presentation {
        let dismissal = DismissTarget()
        var isUp = false
    }

    private func presentation(_ node: ViewNode) -> Presentation {
        if let presentation = node.storage as? Presentation { return presentation }
        let presentation = Presentation()
        node.storage = presentation
        return presentation
    }

    func slots(content base: any View, in node: ViewNode) -> [Slot] {
        let presentation = presentation(node)
        let dismiss = dismiss
        presentation.dismissal.action = dismiss
        let identity = identity()
        if presentation.isUp, identity == nil, let onDismiss { node.graph.enqueue(.change) { onDismiss() } }
        presentation.isUp = identity != nil
        guard let identity, let content = content() else { return [Slot(.position(0), base)] }
        return [
            Slot(.position(0), base),
            Slot(.element(identity, 0), content) {
                $0.dismissTarget = presentation.dismissal
                $0.leaveContainers()
            },
        ]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = children[0]
        guard children.count > 1 else { return output }
        let sheet = children[1]
        var properties: [String: NodeValue] = ["fullScreen": .bool(isFullScreen)]
        if !sheet.preferences.detents.isEmpty {
            properties["detents"] = .list(sheet.preferences.detents.map { .string($0) })
        }
        var actions: [ViewAction] = []
        if !sheet.preferences.staysUp, !isFullScreen {
            actions.append(.dismiss)
            node.handle(.dismiss) { dismiss() }
        }
        let covers = RenderedNode(
            id: node.id, kind: .sheet, properties: properties, actions: actions, children: sheet.nodes, )
        output.preferences.presentations += [covers] + sheet.preferences.presentations
        return output
    }
}

extension EnvironmentValues {
    /// What is presented is in no list, on no page, and not disabled with what presents it.
    mutating func leaveContainers() {
        isInList = false
        navigation = nil
        isEnabled = true
        leavePresentation = nil
        refresh = nil
        font = nil
        foreground = nil
        buttonStyle = .automatic
        textAttributes = TextAttributes()
    }
}

/// How high a sheet comes up.
public struct PresentationDetent: Hashable, Sendable {
    let name: String

    public static let medium = PresentationDetent(name: "medium")
    public static let large = PresentationDetent(name: "large")
}

private struct SheetPreferenceModifier: PrimitiveModifier {
    typealias Body = Never
    let change: (inout Preferences) -> Void

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        change(&output.preferences)
        return output
    }
}

extension View {
    public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content,
    ) -> some View {
        cover(isPresented, onDismiss, isFullScreen: false, content)
    }

    public func fullScreenCover<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content,
    ) -> some View {
        cover(isPresented, onDismiss, isFullScreen: true, content)
    }

    private func cover<Content: View>(
        _ isPresented: Binding<Bool>, _ onDismiss: (() -> Void)?, isFullScreen: Bool,
        _ content: @escaping () -> Content,
    ) -> some View {
        modifier(
            SheetModifier(
                identity: { isPresented.wrappedValue ? AnyHashable(true) : nil },
                dismiss: { isPresented.wrappedValue = false }, onDismiss: onDismiss, isFullScreen: isFullScreen,
                content: content,
            )
        )
    }

    /// Another item is another sheet.
    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content,
    ) -> some View {
        modifier(
            SheetModifier(
                identity: { item.wrappedValue.map { AnyHashable($0.id) } }, dismiss: { item.wrappedValue = nil },
                onDismiss: onDismiss, isFullScreen: false, content: { item.wrappedValue.map(content) },
            )
        )
    }

    /// Keeps the person from swiping the sheet away.
    public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View {
        modifier(SheetPreferenceModifier { $0.staysUp = $0.staysUp || isDisabled })
    }

    public func presentationDetents(_ detents: Set<PresentationDetent>) -> some View {
        modifier(SheetPreferenceModifier { $0.detents = detents.map(\.name).sorted() })
    }
}
