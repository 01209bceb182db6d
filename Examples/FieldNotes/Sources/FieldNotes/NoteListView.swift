import AstrolabeSwiftUI
import SwiftUI

struct NoteListView: View {
    @ObservedObject var notebook: Notebook
    @State private var isAdding = false

    var body: some View {
        NavigationStack {
            List {
                if let problem = notebook.problem {
                    Text(problem).accessibilityIdentifier("problem")
                    Button("Try again") { Task { await notebook.load() } }
                        .accessibilityIdentifier("try-again")
                }
                ForEach(notebook.notes) { note in
                    NavigationLink(note.title, value: note)
                        .accessibilityIdentifier("note-\(note.id)")
                }
                NavigationLink("Settings") { SettingsView(notebook: notebook) }
                    .accessibilityIdentifier("settings")
            }
            .navigationTitle("Field notes")
            .navigationDestination(for: Note.self) { NoteView(note: $0) }
            .toolbar {
                ToolbarItem(placement: .primaryAction) {
                    Button("Add") { isAdding = true }
                        .accessibilityIdentifier("add")
                }
            }
            .task { await notebook.load() }
            .traced("Notes")
        }
        .sheet(isPresented: $isAdding) { NewNoteView(notebook: notebook) }
    }
}

struct NoteView: View {
    let note: Note

    var body: some View {
        Text(note.text)
            .accessibilityIdentifier("note-text")
            .padding()
            .navigationTitle(note.title)
            .traced("Note")
    }
}
