/// An alert in the form before iOS 15.
public struct Alert {
    /// A button of an alert or an action sheet.
    public struct Button {
        let label: Text?
        var role: ButtonRole?
        let action: () -> Void

        public static func `default`(_ label: Text, action: (() -> Void)? = {}) -> Button {
            Button(label: label, action: action ?? {})
        }

        public static func cancel(_ label: Text, action: (() -> Void)? = {}) -> Button {
            Button(label: label, role: .cancel, action: action ?? {})
        }

        /// A button with the system's word.
        public static func cancel(_ action: (() -> Void)? = {}) -> Button {
            Button(label: nil, role: .cancel, action: action ?? {})
        }

        public static func destructive(_ label: Text, action: (() -> Void)? = {}) -> Button {
            Button(label: label, role: .destructive, action: action ?? {})
        }
    }

    let title: Text
    let message: Text?
    let buttons: [Button]

    public init(title: Text, message: Text? = nil, dismissButton: Button? = nil) {
        self.title = title
        self.message = message
        buttons = dismissButton.map { [$0] } ?? []
    }

    public init(title: Text, message: Text? = nil, primaryButton: Button, secondaryButton: Button) {
        self.title = title
        self.message = message
        buttons = [primaryButton, secondaryButton]
    }
}

/// A confirmation dialog in the form before iOS 15.
public struct ActionSheet {
    public typealias Button = Alert.Button

    let title: Text
    let message: Text?
    let buttons: [Button]

    public init(title: Text, message: Text? = nil, buttons: [Button] = [.cancel()]) {
        self.title = title
        self.message = message
        self.buttons = buttons
    }
}

/// The buttons of an alert or an action sheet.
private struct OldButtons: View {
    let buttons: [Alert.Button]
    @Environment(\.locale) private var locale

    var body: some View {
        ForEach(Array(buttons.enumerated()), id: \.offset) { _, button in
            Button(role: button.role, action: { button.action() }) {
                button.label
                    ?? Text(verbatim: SystemWord.cancel.text(for: locale))
            }
        }
    }
}

extension Binding {
    /// True while there is an item. `false` removes it.
    fileprivate func isPresent<Item>() -> Binding<Bool> where Value == Item? {
        let location = location
        return Binding<Bool>(
            location: FunctionLocation(
                get: { location.get() != nil }, set: { if !$0 { location.set(nil, $1) } }))
    }
}

extension View {
    /// Presents an alert, in the form before iOS 15.
    public func alert(isPresented: Binding<Bool>, content: () -> Alert) -> some View {
        show(isPresented.wrappedValue ? content() : nil, isPresented)
    }

    public func alert<Item: Identifiable>(item: Binding<Item?>, content: (Item) -> Alert) -> some View {
        show(item.wrappedValue.map(content), item.isPresent())
    }

    /// Presents a confirmation dialog, in the form before iOS 15.
    public func actionSheet(isPresented: Binding<Bool>, content: () -> ActionSheet) -> some View {
        show(isPresented.wrappedValue ? content() : nil, isPresented)
    }

    public func actionSheet<Item: Identifiable>(item: Binding<Item?>, content: (Item) -> ActionSheet) -> some View {
        show(item.wrappedValue.map(content), item.isPresent())
    }

    private func show(_ alert: Alert?, _ isPresented: Binding<Bool>) -> some View {
        self.alert(
            alert?.title ?? Text(verbatim: ""), isPresented: isPresented,
            actions: { OldButtons(buttons: alert?.buttons ?? []) }, message: { alert?.message })
    }

    private func show(_ sheet: ActionSheet?, _ isPresented: Binding<Bool>) -> some View {
        confirmationDialog(
            sheet?.title ?? Text(verbatim: ""), isPresented: isPresented, titleVisibility: .visible,
            actions: { OldButtons(buttons: sheet?.buttons ?? []) }, message: { sheet?.message })
    }
}
