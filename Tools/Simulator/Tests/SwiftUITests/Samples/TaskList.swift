import SwiftUI

// An app in the style of models, views and view models: a list of tasks with a filter and a sheet.

struct TaskItem: Identifiable, Equatable {
    let id: Int
    var title: String
    var isDone = false
}

@MainActor
final class TaskListViewModel: ObservableObject {
    enum Filter: String, CaseIterable, Identifiable {
        case all = "All"
        case open = "Open"
        var id: Self { self }
    }

    @Published var tasks: [TaskItem] = []
    @Published var filter = Filter.all
    @Published private(set) var isLoading = false
    private let load: @Sendable () async -> [String]

    init(load: @escaping @Sendable () async -> [String]) {
        self.load = load
        Task { await reload() }
    }

    var openCount: Int { tasks.filter { !$0.isDone }.count }

    func reload() async {
        isLoading = true
        let titles = await load()
        tasks = titles.enumerated().map { TaskItem(id: $0.offset, title: $0.element) }
        isLoading = false
    }

    func add(_ title: String) { tasks.append(TaskItem(id: (tasks.map(\.id).max() ?? -1) + 1, title: title)) }
    func delete(at offsets: IndexSet) { tasks.remove(atOffsets: offsets) }
}

struct TaskListView: View {
    @StateObject private var model: TaskListViewModel
    @State private var isAdding = false

    init(load: @escaping @Sendable () async -> [String]) {
        _model = StateObject(wrappedValue: TaskListViewModel(load: load))
    }

    var body: some View {
        NavigationView {
            List {
                Picker("Filter", selection: $model.filter) {
                    ForEach(TaskListViewModel.Filter.allCases) { Text($0.rawValue) }
                }
                .pickerStyle(.segmented)
                .accessibilityIdentifier("filter")
                Section(header: Text("**\(model.openCount)** open")) {
                    ForEach($model.tasks) { $task in
                        if model.filter == .all || !task.isDone {
                            Toggle(task.title, isOn: $task.isDone).accessibilityIdentifier("task-\(task.id)")
                        }
                    }
                    .onDelete(perform: model.delete)
                }
            }
            .overlay(model.isLoading ? ProgressView() : nil)
            .navigationBarTitle("Tasks")
            .toolbar {
                Button {
                    isAdding = true
                } label: {
                    Image(systemName: "plus")
                }.accessibilityIdentifier("new")
            }
            .sheet(isPresented: $isAdding) { NewTaskView(add: model.add) }
        }
    }
}

private struct NewTaskView: View {
    let add: (String) -> Void
    @State private var title = ""
    @Environment(\.presentationMode) private var presentationMode

    var body: some View {
        VStack {
            TextField("Title", text: $title).textFieldStyle(RoundedBorderTextFieldStyle())
                .accessibilityIdentifier("title")
            Button("Add") {
                add(title)
                presentationMode.wrappedValue.dismiss()
            }
            .disabled(title.isEmpty)
            .accessibilityIdentifier("add")
        }
        .padding()
    }
}

struct TaskListView_Previews: PreviewProvider {
    static var previews: some View {
        TaskListView { ["Preview"] }.previewDevice("iPhone 15")
    }
}
