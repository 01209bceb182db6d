public import Foundation

/// The value of a field with a format.
struct FieldValue {
    /// The current value as text.
    let text: () -> String
    /// Sets the value to that of a text, if the text has one.
    let set: (String) -> Void
}

/// The text that the user edits, until the editing ends.
private final class Draft {
    var text: String?
    /// The value as text after the last edit. If it is another one now, the app has changed the value.
    var shown = ""
}

extension FieldValue {
    /// Returns the text of the field: what the user has typed, or else the formatted value.
    @MainActor
    func binding(in node: ViewNode) -> Binding<String> {
        let draft = draft(node)
        if draft.text != nil, text() != draft.shown { draft.text = nil }
        let (text, set) = (text, set)
        return Binding(
            location: FunctionLocation(
                get: { draft.text ?? text() },
                set: { new, _ in
                    set(new)
                    draft.text = new
                    draft.shown = text()
                    MainActor.assumeIsolated { node.graph.setNeedsUpdate(node) }
                },
            ))
    }

    /// Ends the editing: the field shows the formatted value, the last valid one if the text has none.
    @MainActor
    func endEditing(_ node: ViewNode) {
        draft(node).text = nil
        node.graph.setNeedsUpdate(node)
    }

    @MainActor
    private func draft(_ node: ViewNode) -> Draft {
        if let draft = node.storage as? Draft { return draft }
        let draft = Draft()
        node.storage = draft
        return draft
    }
}

extension TextField {
    private init<F: ParseableFormatStyle>(
        _ value: Binding<F.FormatInput>, _ format: F, _ prompt: Text?, _ label: Label,
    )
    where F.FormatOutput == String {
        self.init(
            text: .constant(""), label: label, prompt: prompt,
            value: FieldValue(text: { format.format(value.wrappedValue) }) { text in
                if let new = try? format.parseStrategy.parse(text) { value.wrappedValue = new }
            })
    }

    private init<F: ParseableFormatStyle>(
        _ value: Binding<F.FormatInput?>, _ format: F, _ prompt: Text?, _ label: Label,
    ) where F.FormatOutput == String {
        self.init(
            text: .constant(""), label: label, prompt: prompt,
            value: FieldValue(text: { value.wrappedValue.map { format.format($0) } ?? "" }) { text in
                if text.isEmpty {
                    value.wrappedValue = nil
                } else if let new = try? format.parseStrategy.parse(text) {
                    value.wrappedValue = new
                }
            })
    }
}

extension TextField where Label == Text {
    /// Creates a field for a value with a format. A text without a value leaves the last one.
    public init<F: ParseableFormatStyle>(
        _ titleKey: LocalizedStringKey, value: Binding<F.FormatInput>, format: F, prompt: Text? = nil,
    ) where F.FormatOutput == String {
        self.init(value, format, prompt, Text(titleKey))
    }

    @_disfavoredOverload
    public init<S: StringProtocol, F: ParseableFormatStyle>(
        _ title: S, value: Binding<F.FormatInput>, format: F, prompt: Text? = nil,
    ) where F.FormatOutput == String {
        self.init(value, format, prompt, Text(title))
    }

    /// Creates a field for an optional value, which is `nil` if the field is empty.
    public init<F: ParseableFormatStyle>(
        _ titleKey: LocalizedStringKey, value: Binding<F.FormatInput?>, format: F, prompt: Text? = nil,
    ) where F.FormatOutput == String {
        self.init(value, format, prompt, Text(titleKey))
    }

    @_disfavoredOverload
    public init<S: StringProtocol, F: ParseableFormatStyle>(
        _ title: S, value: Binding<F.FormatInput?>, format: F, prompt: Text? = nil,
    ) where F.FormatOutput == String {
        self.init(value, format, prompt, Text(title))
    }
}
