import AstrolabeSwiftUI
import SwiftUI

struct NewNoteView: View {
    @ObservedObject var notebook: Notebook
    @Environment(\.dismiss) private var dismiss
    @State private var title = ""
    @State private var text = ""

    var body: some View {
        Form {
            TextField("Title", text: $title).accessibilityIdentifier("new-title")
            TextField("Text", text: $text).accessibilityIdentifier("new-text")
            Button("Save") {
                notebook.add(title, text)
                dismiss()
            }
            .disabled(title.isEmpty)
            .accessibilityIdentifier("save")
        }
        .traced("NewNote")
    }
}
