import Testing
import ViewTree

@testable import SwiftUI

@MainActor
@Observable
private final class Library {
    var books = 0
    var title = "Library"
    @ObservationIgnored var visits = 0
}

@MainActor
@Suite struct `An object with Observable` {
    private struct Owner: View {
        @State private var library = Library()

        var body: some View {
            Text("\(library.books)")
            TextField("Title", text: $library.title).accessibilityIdentifier("title")
            Button("Add") { library.books += 1 }.accessibilityIdentifier("add")
            Title(library: library)
        }
    }

    private struct Title: View {
        let library: Library
        var body: some View { Text(library.title) }
    }

    @Test func `evaluates the views that read a changed property, and no others`() async {
        let host = quiet(Owner())
        host.tap("add")
        #expect(host.tree.root.texts == ["1", "Add", "Library"])
        #expect(host.evaluations == ["Owner": 2, "Title": 1])
        host.enter("Archive", into: "title")
        #expect(host.tree.root.texts == ["1", "Add", "Archive"])
        #expect(host.evaluations == ["Owner": 2, "Title": 2])
        #expect(host.issues.isEmpty)
    }

    private struct Reader: View {
        @Environment(Library.self) private var library
        @Environment(Missing.self) private var missing: Missing?
        var body: some View { Text("\(library.books) \(missing == nil ? "none" : "some")") }
    }

    @MainActor
    @Observable
    final class Missing {}

    private struct Editor: View {
        @Bindable var library: Library
        var body: some View { Toggle("Some", isOn: $library.hasBooks).accessibilityIdentifier("some") }
    }

    @Test func `is read from the environment by its type, and written through Bindable`() async {
        let library = Library()
        let host = quiet(Reader().environment(library))
        let editor = quiet(Editor(library: library))
        editor.tap("some")
        await turn()
        #expect(host.tree.root.texts == ["1 none"])
    }

    @Test func `that changes off the main actor's turn updates the screen in the next`() async {
        let library = Library()
        let host = quiet(Title(library: library))
        library.title = "a"
        library.title = "b"
        #expect(host.evaluations["Title"] == 1)
        await turn()
        #expect(host.tree.root.texts == ["b"])
        #expect(host.evaluations["Title"] == 2)
    }
}

extension Library {
    fileprivate var hasBooks: Bool {
        get { books > 0 }
        set { books = newValue ? 1 : 0 }
    }
}
