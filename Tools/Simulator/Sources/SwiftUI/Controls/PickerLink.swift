import ViewTree

/// A choice of a picker: its value, if its view has a tag, and its view.
struct PickerChoice<Value: Hashable> {
    let value: Value?
    let view: any View
}

/// A picker as a row that opens a page with the choices.
struct PickerLink<Label: View, Value: Hashable>: View {
    let selection: Binding<Value>
    let choices: [PickerChoice<Value>]
    let label: Label

    var body: some View {
        NavigationLink(destination: PickerPage(selection: selection, choices: choices, label: label)) {
            LabeledContent {
                if let chosen = choices.first(where: { $0.value == selection.wrappedValue }) {
                    AnyView(erasing: chosen.view)
                }
            } label: {
                label
            }
        }
    }
}

private struct PickerPage<Label: View, Value: Hashable>: View {
    let selection: Binding<Value>
    let choices: [PickerChoice<Value>]
    let label: Label
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        List {
            ForEach(Array(choices.enumerated()), id: \.offset) { _, choice in
                Button {
                    if let value = choice.value { selection.wrappedValue = value }
                    dismiss()
                } label: {
                    HStack {
                        AnyView(erasing: choice.view).foregroundStyle(.primary)
                        Spacer()
                        if choice.value == selection.wrappedValue {
                            Image(systemName: "checkmark").foregroundColor(.accentColor)
                        }
                    }
                }
            }
        }
        .navigationBarTitleDisplayMode(.inline)
        .modifier(PickerTitle(label: label))
    }
}

/// Uses the texts of a view as the title of the page.
private struct PickerTitle<Label: View>: PrimitiveModifier {
    typealias Body = Never
    let label: Label

    func slots(content: any View, in node: ViewNode) -> [Slot] {
        [Slot(.position(0), content), Slot(.position(1), label)]
    }

    func render(_ children: [Output], in node: ViewNode) -> Output {
        var output = children[0]
        output.preferences.title = children[1].nodes.flatMap(\.texts).joined(separator: " ")
        return output
    }
}
