import ViewTree

/// A group of rows with a header and a footer.
public struct Section<Parent, Content, Footer> {
    let header: Parent
    let content: Content
    let footer: Footer
}

extension Section: View where Parent: View, Content: View, Footer: View {}

extension Section where Parent: View, Content: View, Footer: View {
    public init(
        @ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent, @ViewBuilder footer: () -> Footer,
    ) {
        self.init(header: header(), content: content(), footer: footer())
    }
}

extension Section where Parent == EmptyView, Content: View, Footer: View {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {
        self.init(header: EmptyView(), content: content(), footer: footer())
    }
}

extension Section where Parent: View, Content: View, Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.init(header: header(), content: content(), footer: EmptyView())
    }
}

extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), content: content(), footer: EmptyView())
    }
}

extension Section where Parent == Text, Content: View, Footer == EmptyView {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) {
        self.init(header: Text(titleKey), content: content(), footer: EmptyView())
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {
        self.init(header: Text(title), content: content(), footer: EmptyView())
    }
}

// The forms before iOS 15, with the header and the footer by value.
extension Section where Parent: View, Content: View, Footer: View {
    public init(header: Parent, footer: Footer, @ViewBuilder content: () -> Content) {
        self.init(header: header, content: content(), footer: footer)
    }
}

extension Section where Parent: View, Content: View, Footer == EmptyView {
    public init(header: Parent, @ViewBuilder content: () -> Content) {
        self.init(header: header, content: content(), footer: EmptyView())
    }
}

extension Section where Parent == EmptyView, Content: View, Footer: View {
    public init(footer: Footer, @ViewBuilder content: () -> Content) {
        self.init(header: EmptyView(), content: content(), footer: footer)
    }
}

extension Section: Primitive, PrimitiveView where Parent: View, Content: View, Footer: View {
    func slots(in node: ViewNode) -> [Slot] {
        let small: (inout EnvironmentValues) -> Void = {
            $0.font = .footnote
            $0.foreground = ForegroundLevels(primary: .secondary)
        }
        let large: (inout EnvironmentValues) -> Void = {
            $0.font = .title3.bold()
            $0.foreground = nil
        }
        let isProminent = node.environment.headerProminence == .increased
        return [
            Slot(.position(0), header, environment: isProminent ? large : small), Slot(.position(1), content),
            Slot(.position(2), footer, environment: small),
        ]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = sectionOutput(
            node.id, children[1], header: children[0].nodes, footer: children[2].nodes, in: node)
        for part in [children[0], children[2]] { output.preferences.merge(part.preferences) }
        return output
    }
}
