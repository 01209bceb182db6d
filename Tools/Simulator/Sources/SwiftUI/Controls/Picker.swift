import ViewTree

/// A choice of one value by the tags of views.
public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View {
    let selection: Binding<SelectionValue>
    let content: Content
    let label: Label
    /// The view that a menu shows in place of that of the choice.
    var currentValueLabel: (any View)?

    public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label,
    ) {
        self.selection = selection
        self.content = content()
        self.label = label()
    }

    /// - Parameter currentValueLabel: What a picker in a menu shows in place of the view of the choice.
    @available(iOS 18, macOS 15, *)
    public init<V: View>(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> V,
    ) {
        self.init(selection: selection, content: content, label: label)
        self.currentValueLabel = currentValueLabel()
    }
}

extension Picker {
    /// The form before iOS 15.
    public init(selection: Binding<SelectionValue>, label: Label, @ViewBuilder content: () -> Content) {
        self.init(selection: selection, content: content) { label }
    }
}

extension Picker where Label == Text {
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content,
    ) {
        self.init(selection: selection, content: content) { Text(titleKey) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content,
    ) {
        self.init(selection: selection, content: content) { Text(title) }
    }
}

extension Picker: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] {
        if node.environment.pickerStyle == .navigationLink { return [Slot(.branch(true), link(node))] }
        let shown = currentValueLabel.map { [Slot(.position(2), $0)] } ?? []
        return [Slot(.position(0), label), Slot(.position(1), content)] + shown
    }

    /// A row that shows the choice and opens a page with all of them.
    private func link(_ node: ViewNode) -> some View {
        let choices = flattened(content, in: node).map { choice in
            PickerChoice(value: choice.tag?.base as? SelectionValue, view: choice.view)
        }
        return PickerLink(selection: selection, choices: choices, label: label)
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        if node.environment.pickerStyle == .navigationLink { return Output(merging: children) }
        let selection = selection
        let choices = children[1].elements.map { element -> (tag: SelectionValue?, node: RenderedNode) in
            let tag = element.traits.tag ?? element.traits.implicitTag
            return (tag?.base as? SelectionValue, element.node)
        }
        let current = selection.wrappedValue
        let leave = node.environment.leavePresentation
        let selected = choices.firstIndex { $0.tag == current }
        if selected == nil, !choices.isEmpty {
            node.graph.report(.selectionWithoutTag(view: node.nearestViewName))
        }
        node.handle(.change) { value in
            guard let number = value?.number, let index = Int(exactly: number), choices.indices.contains(index),
                let tag = choices[index].tag
            else { return false }
            leave?.perform()
            selection.wrappedValue = tag
            return true
        }
        var properties: [String: NodeValue] = ["style": .string(node.environment.pickerStyle.name)]
        if let selected { properties["selected"] = .number(Double(selected)) }
        // As on iOS, a menu outside of a list shows only the choice.
        let isMenu = [.automatic, .menu].contains(node.environment.pickerStyle)
        if isMenu, !node.environment.isInList { properties["labelHidden"] = true }
        var parts = [
            RenderedNode(id: node.wrapperID(.label), kind: .label, children: children[0].nodes),
            RenderedNode(id: node.wrapperID(.choices), kind: .choices, children: choices.map(\.node)),
        ]
        if children.count > 2 {
            parts.append(RenderedNode(id: node.wrapperID(.message), kind: .message, children: children[2].nodes))
        }
        return control(.picker, properties, [.change], parts.map { Output($0) }, node)
    }
}

/// The style of a picker.
@MainActor
@preconcurrency
public protocol PickerStyle {
    var _kind: _PickerStyleKind { get }
}

public enum _PickerStyleKind: Hashable, Sendable {
    case automatic
    case menu
    case segmented
    case inline
    case wheel
    case navigationLink

    var name: String { String(describing: self) }
}

public struct MenuPickerStyle: PickerStyle {
    public init() {}
    public var _kind: _PickerStyleKind { .menu }
}

public struct SegmentedPickerStyle: PickerStyle {
    public init() {}
    public var _kind: _PickerStyleKind { .segmented }
}

public struct InlinePickerStyle: PickerStyle {
    public init() {}
    public var _kind: _PickerStyleKind { .inline }
}

public struct WheelPickerStyle: PickerStyle {
    public init() {}
    public var _kind: _PickerStyleKind { .wheel }
}

public struct NavigationLinkPickerStyle: PickerStyle {
    public init() {}
    public var _kind: _PickerStyleKind { .navigationLink }
}

extension PickerStyle where Self == NavigationLinkPickerStyle {
    public static var navigationLink: NavigationLinkPickerStyle { NavigationLinkPickerStyle() }
}

extension PickerStyle where Self == MenuPickerStyle {
    public static var automatic: MenuPickerStyle { MenuPickerStyle() }
}

extension PickerStyle where Self == MenuPickerStyle {
    public static var menu: MenuPickerStyle { MenuPickerStyle() }
}

extension PickerStyle where Self == SegmentedPickerStyle {
    public static var segmented: SegmentedPickerStyle { SegmentedPickerStyle() }
}

extension PickerStyle where Self == InlinePickerStyle {
    public static var inline: InlinePickerStyle { InlinePickerStyle() }
}

extension PickerStyle where Self == WheelPickerStyle {
    public static var wheel: WheelPickerStyle { WheelPickerStyle() }
}

extension EnvironmentValues {
    private enum PickerStyleKey: EnvironmentKey {
        static let defaultValue = _PickerStyleKind.automatic
    }

    var pickerStyle: _PickerStyleKind {
        get { self[PickerStyleKey.self] }
        set { self[PickerStyleKey.self] = newValue }
    }
}

extension View {
    public func pickerStyle<S: PickerStyle>(_ style: S) -> some View { environment(\.pickerStyle, style._kind) }
}
