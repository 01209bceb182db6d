import ViewTree

/// A control for a color.
///
/// Partly: The browser's dialog chooses the color. Its opacity stays.
public struct ColorPicker<Label: View>: View {
    let selection: Binding<Color>
    let supportsOpacity: Bool
    let label: Label

    public init(selection: Binding<Color>, supportsOpacity: Bool = true, @ViewBuilder label: () -> Label) {
        self.selection = selection
        self.supportsOpacity = supportsOpacity
        self.label = label()
    }
}

extension ColorPicker where Label == Text {
    public init(_ titleKey: LocalizedStringKey, selection: Binding<Color>, supportsOpacity: Bool = true) {
        self.init(selection: selection, supportsOpacity: supportsOpacity) { Text(titleKey) }
    }

    @_disfavoredOverload
    public init<S: StringProtocol>(_ title: S, selection: Binding<Color>, supportsOpacity: Bool = true) {
        self.init(selection: selection, supportsOpacity: supportsOpacity) { Text(title) }
    }
}

extension ColorPicker: PrimitiveView {
    public typealias Body = Never

    func slots(in node: ViewNode) -> [Slot] { [Slot(.position(0), label)] }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        let selection = selection
        let keepsOpacity = supportsOpacity
        node.handle(.change) { value in
            guard let text = value?.string, text.hasPrefix("#"), text.count == 7,
                let hex = Int(text.dropFirst(), radix: 16)
            else { return false }
            selection.wrappedValue = Color(hex: hex, keepsOpacity ? selection.wrappedValue.alpha : 1)
            return true
        }
        let color = resolved(selection.wrappedValue, in: node.environment)
        return control(.colorPicker, ["color": .string(color)], [.change], children, node)
    }
}
