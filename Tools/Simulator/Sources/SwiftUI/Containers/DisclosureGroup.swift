/// A view that shows or hides its content when its label is tapped. In a list, each view of the content is a row.
public struct DisclosureGroup<Label: View, Content: View>: View {
    let isExpanded: Binding<Bool>?
    let content: () -> Content
    let label: Label
    @State private var isOpen = false
    @Environment(\.isInList) private var isInList

    /// Creates a group that stores itself whether it is expanded; at first it is not.
    public init(@ViewBuilder content: @escaping () -> Content, @ViewBuilder label: () -> Label) {
        isExpanded = nil
        self.content = content
        self.label = label()
    }

    public init(
        isExpanded: Binding<Bool>, @ViewBuilder content: @escaping () -> Content, @ViewBuilder label: () -> Label,
    ) {
        self.isExpanded = isExpanded
        self.content = content
        self.label = label()
    }

    public var body: some View {
        let expanded = isExpanded ?? $isOpen
        if isInList {
            opener(expanded).buttonStyle(.plain)
            if expanded.wrappedValue { content().padding(.leading, 20) }
        } else {
            VStack(alignment: .leading) {
                opener(expanded)
                if expanded.wrappedValue { content() }
            }
        }
    }

    private func opener(_ expanded: Binding<Bool>) -> some View {
        Button {
            withAnimation { expanded.wrappedValue.toggle() }
        } label: {
            HStack {
                label
                Spacer()
                Image(systemName: "chevron.right")
                    .font(.footnote.weight(.semibold))
                    .foregroundColor(.accentColor)
                    .rotationEffect(.degrees(expanded.wrappedValue ? 90 : 0))
                    .accessibilityHidden(true)
            }
        }
    }
}

extension DisclosureGroup where Label == Text {
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: @escaping () -> Content) {
        self.init(content: content, label: { Text(titleKey) })
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder content: @escaping () -> Content) {
        self.init(content: content, label: { Text(title) })
    }

    public init(
        _ titleKey: LocalizedStringKey, isExpanded: Binding<Bool>, @ViewBuilder content: @escaping () -> Content,
    ) {
        self.init(isExpanded: isExpanded, content: content, label: { Text(titleKey) })
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, isExpanded: Binding<Bool>, @ViewBuilder content: @escaping () -> Content,
    ) {
        self.init(isExpanded: isExpanded, content: content, label: { Text(title) })
    }
}
