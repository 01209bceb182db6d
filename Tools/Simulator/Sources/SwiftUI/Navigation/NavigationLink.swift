import ViewTree

/// A control that opens a page.
public struct NavigationLink<Label: View, Destination: View>: View {
    let value: AnyHashable?
    let destination: Destination?
    let label: Label
    /// True if the page is open; `nil` if the app does not decide that.
    var isActive: Binding<Bool>?
}

extension NavigationLink {
    public init(destination: Destination, @ViewBuilder label: () -> Label) {
        self.init(value: nil, destination: destination, label: label())
    }

    /// Opens the page while `isActive` is true.
    public init(destination: Destination, isActive: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.init(value: nil, destination: destination, label: label(), isActive: isActive)
    }

    /// Opens the page while the selection is the tag.
    public init<V: Hashable>(
        destination: Destination, tag: V, selection: Binding<V?>, @ViewBuilder label: () -> Label,
    ) {
        let isActive = Binding<Bool>(
            location: FunctionLocation(
                get: { selection.wrappedValue == tag },
                set: { isActive, _ in
                    if isActive {
                        selection.wrappedValue = tag
                    } else if selection.wrappedValue == tag {
                        selection.wrappedValue = nil
                    }
                },
            ))
        self.init(value: nil, destination: destination, label: label(), isActive: isActive)
    }

    public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
        self.init(value: nil, destination: destination(), label: label())
    }
}

extension NavigationLink where Destination == Never {
    /// Creates a link whose page is the stack's `navigationDestination` for the value.
    public init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) {
        self.init(value: value.map { AnyHashable($0) }, destination: nil, label: label())
    }

    public init<P: Hashable>(_ titleKey: LocalizedStringKey, value: P?) where Label == Text {
        self.init(value: value.map { AnyHashable($0) }, destination: nil, label: Text(titleKey))
    }

    @_disfavoredOverload
    public init<S: StringProtocol, P: Hashable>(_ title: S, value: P?) where Label == Text {
        self.init(value: value.map { AnyHashable($0) }, destination: nil, label: Text(title))
    }
}

extension NavigationLink where Label == Text {
    public init(_ titleKey: LocalizedStringKey, destination: Destination) {
        self.init(value: nil, destination: destination, label: Text(titleKey))
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, destination: Destination) {
        self.init(value: nil, destination: destination, label: Text(title))
    }

    public init(_ titleKey: LocalizedStringKey, destination: Destination, isActive: Binding<Bool>) {
        self.init(value: nil, destination: destination, label: Text(titleKey), isActive: isActive)
    }

    public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: () -> Destination) {
        self.init(value: nil, destination: destination(), label: Text(titleKey))
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, @ViewBuilder destination: () -> Destination) {
        self.init(value: nil, destination: destination(), label: Text(title))
    }
}

extension NavigationLink: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] {
        let isInList = node.environment.isInList
        return [
            Slot(.position(0), label) { values in
                guard !isInList else { return }
                values.foreground = ForegroundLevels(primary: values.buttonStyle.labelColor(nil, in: values))
            }
        ]
    }

    func didUpdate(_ node: ViewNode, from previous: NavigationLink?) {
        if let isActive {
            let isWanted = node.graph.evaluate(node) { isActive.wrappedValue }
            node.graph.enqueue(.change) {
                guard node.isAlive, let context = node.environment.navigation else { return }
                if isWanted, !context.isPushed(node.id) { open(node) } else if !isWanted { context.pop(owner: node.id) }
            }
        }
        guard let context = node.environment.navigation, context.isPushed(node.id) else { return }
        open(node)
    }

    private func open(_ node: ViewNode) {
        guard let context = node.environment.navigation else { return }
        if let opening = node.environment.splitOpening {
            // In a column of a split view a link selects its value, or else replaces what the last column shows. In a
            // stack inside the column it opens a page of that stack.
            if let value, let selection = node.environment.rowSelection, selection.state(value) != nil {
                selection.choose(value)
                return opening.open()
            }
            if context === opening.context, !context.isPushed(node.id) { context.popAll() }
        }
        if let value {
            context.push(value)
        } else if let destination {
            let isActive = isActive
            let popped = { if isActive?.wrappedValue == true { isActive?.wrappedValue = false } }
            if isActive?.wrappedValue == false { isActive?.wrappedValue = true }
            context.push(owner: node.id, NavigationContext.Pushed(make: { destination }, popped: popped))
        }
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let environment = node.environment
        let leads = environment.navigation != nil && environment.isEnabled && (value != nil || destination != nil)
        var properties: [String: NodeValue] = [
            "style": .string(environment.isInList ? "row" : environment.buttonStyle.name)
        ]
        if environment.buttonStyle.isBordered {
            properties["tint"] = .string(resolved(.accentColor, in: environment))
        }
        if environment.controlSize != .regular { properties["size"] = .string(environment.controlSize.name) }
        properties.merge(environment.borderShapeProperties) { $1 }
        if !leads { properties["disabled"] = true }
        if leads { node.handle(.tap) { open(node) } }
        let output = Output(merging: children)
        return Output(
            RenderedNode(
                id: node.id, kind: .link, properties: properties, actions: leads ? [.tap] : [], children: output.nodes,
            ),
            preferences: output.preferences,
        )
    }
}

private struct DestinationModifier<D: Hashable>: PrimitiveModifier {
    typealias Body = Never
    let make: (D) -> any View

    func didUpdate(_ node: ViewNode, from previous: DestinationModifier?) {
        node.environment.navigation?.register(D.self, owner: node.id, make)
    }

    func didChangeVisibility(_ node: ViewNode) {
        if !node.isAlive { node.environment.navigation?.unregister(D.self, owner: node.id) }
    }
}

private struct PresentedDestinationModifier: PrimitiveModifier {
    typealias Body = Never
    let isPresented: Binding<Bool>
    let destination: any View

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        let isPresented = isPresented
        let destination = destination
        let isWanted = isPresented.wrappedValue
        node.graph.enqueue(.change) {
            guard node.isAlive, let context = node.environment.navigation else { return }
            if isWanted {
                let popped = { if isPresented.wrappedValue { isPresented.wrappedValue = false } }
                context.push(owner: node.id, NavigationContext.Pushed(make: { destination }, popped: popped))
            } else {
                context.pop(owner: node.id)
            }
        }
        return [Slot(.position(0), content)]
    }
}

/// The display of a page's title.
public struct NavigationBarItem: Sendable {
    public enum TitleDisplayMode: Sendable {
        case automatic
        case inline
        case large
    }
}

/// The display of a page's title.
@available(iOS 17, macOS 14, *)
public struct ToolbarTitleDisplayMode: Sendable {
    let name: String

    public static let automatic = ToolbarTitleDisplayMode(name: "automatic")
    public static let inline = ToolbarTitleDisplayMode(name: "inline")
    public static let large = ToolbarTitleDisplayMode(name: "large")
    /// The large title in the row of the bar's buttons.
    public static let inlineLarge = ToolbarTitleDisplayMode(name: "inlineLarge")
}

/// A bar whose visibility a view sets.
public struct ToolbarPlacement: Sendable {
    public static let automatic = ToolbarPlacement()
    public static let navigationBar = ToolbarPlacement()
    @available(*, unavailable, message: "SwiftUI on Linux lacks tabBar here. Use fullScreenCover to cover the tabs.")
    public static let tabBar = ToolbarPlacement()
    @available(*, unavailable, message: "SwiftUI on Linux lacks bottomBar here. Leave out its items.")
    public static let bottomBar = ToolbarPlacement()
}

struct BarModifier: PrimitiveModifier {
    typealias Body = Never
    var title: Text?
    var change: ((inout ViewPreferences) -> Void)?

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = Output(merging: children)
        if let title { output.preferences.title = title.text(in: node.environment) }
        change?(&output.preferences)
        return output
    }
}

extension View {
    /// Creates the page for values of a type in links and paths.
    public func navigationDestination<D: Hashable, C: View>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C,
    ) -> some View {
        modifier(DestinationModifier<D> { destination($0) })
    }

    public func navigationDestination<V: View>(
        isPresented: Binding<Bool>, @ViewBuilder destination: () -> V,
    ) -> some View {
        modifier(PresentedDestinationModifier(isPresented: isPresented, destination: destination()))
    }

    /// Pushes a page while there is an item. Another item has a page of its own.
    @available(iOS 17, macOS 14, *)
    public func navigationDestination<D: Hashable, C: View>(
        item: Binding<D?>, @ViewBuilder destination: @escaping (D) -> C,
    ) -> some View {
        let isPresented = Binding(
            get: { item.wrappedValue != nil }, set: { if !$0 { item.wrappedValue = nil } })
        return navigationDestination(isPresented: isPresented) {
            if let value = item.wrappedValue { destination(value).id(value) }
        }
    }

    public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { navigationTitle(Text(titleKey)) }
    public func navigationTitle(_ title: Text) -> some View { modifier(BarModifier(title: title)) }

    @_disfavoredOverload
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { navigationTitle(Text(title)) }

    public func navigationBarTitleDisplayMode(_ displayMode: NavigationBarItem.TitleDisplayMode) -> some View {
        modifier(BarModifier { $0.titleDisplayMode = String(describing: displayMode) })
    }

    /// Shows a title that the app's own views edit. The menu for renaming is not shown.
    ///
    /// Partly: A title in a binding cannot be edited in the bar.
    public func navigationTitle(_ title: Binding<String>) -> some View { navigationTitle(Text(title.wrappedValue)) }

    @available(iOS 17, macOS 14, *)
    public func toolbarTitleDisplayMode(_ mode: ToolbarTitleDisplayMode) -> some View {
        modifier(BarModifier { $0.titleDisplayMode = mode.name })
    }

    public func navigationBarHidden(_ hidden: Bool) -> some View {
        modifier(BarModifier { $0.hidesBar = hidden })
    }

    /// Shows or hides the page's bar.
    public func toolbar(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View {
        modifier(BarModifier { $0.hidesBar = visibility == .hidden })
    }

    @available(iOS 18, macOS 15, *)
    public func toolbarVisibility(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View {
        modifier(BarModifier { $0.hidesBar = visibility == .hidden })
    }

    public func navigationBarBackButtonHidden(_ hidesBackButton: Bool = true) -> some View {
        modifier(BarModifier { $0.hidesBackButton = hidesBackButton })
    }
}
