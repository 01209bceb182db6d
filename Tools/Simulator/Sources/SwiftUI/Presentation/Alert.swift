public import Foundation
import ViewTree

/// An alert or a confirmation dialog. All its buttons dismiss it.
private struct QuestionModifier: PrimitiveModifier {
    typealias Body = Never
    let kind: NodeKind
    let title: Text
    let titleVisibility: Visibility
    let isPresented: Binding<Bool>
    let actions: () -> (any View)?
    let message: () -> (any View)?

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        let isPresented = isPresented
        guard isPresented.wrappedValue, let actions = actions() else { return [Slot(.position(0), content)] }
        let leave = LeavePresentation(node: node.id) { isPresented.wrappedValue = false }
        let inside: (inout EnvironmentValues) -> Void = {
            $0.leaveContainers()
            $0.leavePresentation = leave
        }
        let word = (kind == .alert ? SystemWord.ok : .cancel).text(in: node.environment)
        let fallback = Button(word, role: kind == .alert ? nil : .cancel) {}
        return [
            Slot(.position(0), content), Slot(.position(1), actions, environment: inside),
            Slot(.position(2), message() ?? EmptyView(), environment: inside),
            Slot(.position(3), fallback, environment: inside),
        ]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = children[0]
        guard children.count == 4 else { return output }
        let given = children[1].nodes
        let needsFallback =
            kind == .alert ? given.isEmpty : !given.contains { $0.properties["role"]?.string == "cancel" }
        var properties: [String: NodeValue] = ["title": .string(title.text(in: node.environment))]
        if kind == .dialog, titleVisibility != .visible { properties["titleHidden"] = true }
        var actions: [ViewAction] = []
        if kind == .dialog {
            let isPresented = isPresented
            actions.append(.dismiss)
            node.handle(.dismiss) { isPresented.wrappedValue = false }
        }
        output.preferences.presentations.append(
            RenderedNode(
                id: node.id, kind: kind, properties: properties, actions: actions,
                children: [
                    RenderedNode(id: node.wrapperID(.message), kind: .message, children: children[2].nodes),
                    RenderedNode(
                        id: node.wrapperID(.buttons), kind: .buttons,
                        children: given + (needsFallback ? children[3].nodes : [])),
                ],
            )
        )
        return output
    }
}

extension View {
    public func alert<A: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A,
    ) -> some View {
        question(.alert, Text(titleKey), isPresented, actions, { EmptyView() })
    }

    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A,
    ) -> some View {
        question(.alert, Text(title), isPresented, actions, { EmptyView() })
    }

    public func alert<A: View, M: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A,
        @ViewBuilder message: @escaping () -> M,
    ) -> some View {
        question(.alert, Text(titleKey), isPresented, actions, message)
    }

    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View, M: View>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A,
        @ViewBuilder message: @escaping () -> M,
    ) -> some View {
        question(.alert, Text(title), isPresented, actions, message)
    }

    public func alert<A: View, M: View, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: T?,
        @ViewBuilder actions: @escaping (T) -> A, @ViewBuilder message: @escaping (T) -> M,
    ) -> some View {
        question(.alert, Text(titleKey), isPresented, { data.map(actions) }, { data.map(message) }, data != nil)
    }

    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View, M: View, T>(
        _ title: S, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: @escaping (T) -> A,
        @ViewBuilder message: @escaping (T) -> M,
    ) -> some View {
        question(.alert, Text(title), isPresented, { data.map(actions) }, { data.map(message) }, data != nil)
    }

    public func alert<A: View, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: T?,
        @ViewBuilder actions: @escaping (T) -> A,
    ) -> some View {
        alert(titleKey, isPresented: isPresented, presenting: data, actions: actions, message: { _ in EmptyView() })
    }

    @_disfavoredOverload
    public func alert<S: StringProtocol, A: View, T>(
        _ title: S, isPresented: Binding<Bool>, presenting data: T?, @ViewBuilder actions: @escaping (T) -> A,
    ) -> some View {
        alert(title, isPresented: isPresented, presenting: data, actions: actions, message: { _ in EmptyView() })
    }

    public func alert<A: View, M: View>(
        _ title: Text, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A,
        @ViewBuilder message: @escaping () -> M,
    ) -> some View {
        question(.alert, title, isPresented, actions, message)
    }

    public func alert<A: View>(
        _ title: Text, isPresented: Binding<Bool>, @ViewBuilder actions: @escaping () -> A,
    ) -> some View {
        question(.alert, title, isPresented, actions, { EmptyView() })
    }

    /// Presents an alert with the description of an error as its title.
    public func alert<E: LocalizedError, A: View>(
        isPresented: Binding<Bool>, error: E?, @ViewBuilder actions: @escaping () -> A,
    ) -> some View {
        alert(isPresented: isPresented, error: error, actions: { _ in actions() }, message: { _ in EmptyView() })
    }

    public func alert<E: LocalizedError, A: View, M: View>(
        isPresented: Binding<Bool>, error: E?, @ViewBuilder actions: @escaping (E) -> A,
        @ViewBuilder message: @escaping (E) -> M,
    ) -> some View {
        question(
            .alert, Text(verbatim: error?.localizedDescription ?? ""), isPresented, { error.map(actions) },
            { error.map(message) }, error != nil)
    }

    public func confirmationDialog<A: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: @escaping () -> A,
    ) -> some View {
        question(.dialog, Text(titleKey), isPresented, actions, { EmptyView() }, visibility: titleVisibility)
    }

    public func confirmationDialog<A: View, M: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: @escaping () -> A, @ViewBuilder message: @escaping () -> M,
    ) -> some View {
        question(.dialog, Text(titleKey), isPresented, actions, message, visibility: titleVisibility)
    }

    public func confirmationDialog<A: View, M: View>(
        _ title: Text, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: @escaping () -> A, @ViewBuilder message: @escaping () -> M,
    ) -> some View {
        question(.dialog, title, isPresented, actions, message, visibility: titleVisibility)
    }

    @_disfavoredOverload
    public func confirmationDialog<S: StringProtocol, A: View>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: @escaping () -> A,
    ) -> some View {
        question(.dialog, Text(title), isPresented, actions, { EmptyView() }, visibility: titleVisibility)
    }

    @_disfavoredOverload
    public func confirmationDialog<S: StringProtocol, A: View, M: View>(
        _ title: S, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        @ViewBuilder actions: @escaping () -> A, @ViewBuilder message: @escaping () -> M,
    ) -> some View {
        question(.dialog, Text(title), isPresented, actions, message, visibility: titleVisibility)
    }

    public func confirmationDialog<A: View, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        presenting data: T?, @ViewBuilder actions: @escaping (T) -> A,
    ) -> some View {
        confirmationDialog(
            titleKey, isPresented: isPresented, titleVisibility: titleVisibility, presenting: data, actions: actions,
            message: { _ in EmptyView() })
    }

    public func confirmationDialog<A: View, M: View, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        presenting data: T?, @ViewBuilder actions: @escaping (T) -> A, @ViewBuilder message: @escaping (T) -> M,
    ) -> some View {
        question(
            .dialog, Text(titleKey), isPresented, { data.map(actions) }, { data.map(message) }, data != nil,
            visibility: titleVisibility)
    }

    private func question<A: View, M: View>(
        _ kind: NodeKind, _ title: Text, _ isPresented: Binding<Bool>, _ actions: @escaping () -> A,
        _ message: @escaping () -> M, _ hasData: Bool = true, visibility: Visibility = .automatic,
    ) -> some View {
        modifier(
            QuestionModifier(
                kind: kind, title: title, titleVisibility: visibility, isPresented: isPresented,
                actions: { hasData ? actions() : nil }, message: message,
            )
        )
    }
}
