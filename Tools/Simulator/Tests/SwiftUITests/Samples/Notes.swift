import Observation
import SwiftUI

// An app with Observation: notes that are edited in place.

@MainActor
@Observable
final class Note: Identifiable {
    let id: Int
    var text: String
    var isPinned = false

    init(id: Int, text: String) {
        self.id = id
        self.text = text
    }
}

@MainActor
@Observable
final class NoteStore {
    var notes: [Note] = []
    var sorted: [Note] { notes.filter(\.isPinned) + notes.filter { !$0.isPinned } }

    func add() { notes.append(Note(id: notes.count, text: "Note \(notes.count)")) }
}

struct NotesView: View {
    @State private var store = NoteStore()

    var body: some View {
        NavigationStack {
            List(store.sorted) { note in
                NavigationLink(value: note.id) {
                    Label(note.text, systemImage: note.isPinned ? "bookmark.fill" : "doc.text")
                }
                .accessibilityIdentifier("note-\(note.id)")
            }
            .navigationTitle("\(store.notes.count) notes")
            .navigationDestination(for: Int.self) { NoteEditor(note: store.notes[$0]) }
            .toolbar { Button("New", action: store.add).accessibilityIdentifier("new") }
        }
        .environment(store)
    }
}

private struct NoteEditor: View {
    @Bindable var note: Note
    @Environment(NoteStore.self) private var store
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        Form {
            TextEditor(text: $note.text).accessibilityIdentifier("text")
            Toggle("Pinned", isOn: $note.isPinned).accessibilityIdentifier("pinned")
            LabeledContent("Notes", value: "\(store.notes.count)")
            Button("Done") { dismiss() }.accessibilityIdentifier("done")
        }
    }
}
