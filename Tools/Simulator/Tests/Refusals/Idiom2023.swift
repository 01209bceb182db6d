import Observation
import SwiftUI

// Views in the idiom of iOS 17 and 18. `RefusalTests` expects that they compile without an error.

struct NewItem: Identifiable, Hashable {
    let id: Int
    var name: String
    var isDone = false
}

@Observable
final class NewModel {
    var items = [NewItem(id: 1, name: "One")]
    var title = "Items"
}

enum NewTab: Hashable {
    case home, search
}

struct NewRoot: View {
    @State private var selection = NewTab.home
    @State private var model = NewModel()

    var body: some View {
        TabView(selection: $selection) {
            Tab("Home", systemImage: "house", value: NewTab.home) { NewList(model: model) }.badge(2)
            Tab(value: NewTab.search, role: .search) { NavigationStack { Text("Search") } }
        }
    }
}

struct NewTabs: View {
    var body: some View {
        TabView {
            Tab("Home", systemImage: "house") { Text("Home") }
            Tab {
                Text("Other")
            } label: {
                Label("Other", systemImage: "star")
            }
        }
    }
}

struct NewList: View {
    @Bindable var model: NewModel
    @State private var failure: String?
    @State private var isShown = false
    @State private var amount = 0.5
    @State private var size = CGSize.zero
    @State private var choice = 1

    var body: some View {
        NavigationStack {
            List {
                if model.items.isEmpty {
                    ContentUnavailableView("No Items", systemImage: "tray", description: Text("Add one."))
                }
                ForEach($model.items, editActions: .all) { $item in
                    Toggle(item.name, systemImage: "star", isOn: $item.isDone)
                        .swipeActions(edge: .leading, allowsFullSwipe: false) {
                            Button("Pin", systemImage: "pin") { item.isDone = true }.tint(.orange)
                        }
                        .swipeActions(edge: .trailing) {
                            Button("Delete", systemImage: "trash", role: .destructive) { model.items.removeAll() }
                        }
                }
                Section {
                    LabeledContent("Amount") { Text(amount, format: .percent) }
                    Slider(value: $amount, in: 0...1) {
                        Text("Amount")
                    } minimumValueLabel: {
                        Image(systemName: "minus")
                    } maximumValueLabel: {
                        Image(systemName: "plus")
                    }
                    Picker("Choice", systemImage: "list.bullet", selection: $choice) {
                        Text("One").tag(1)
                        Text("Two").tag(2)
                    }
                    .pickerStyle(.navigationLink)
                }
                .listRowBackground(Color(.secondarySystemGroupedBackground))
            }
            .scrollContentBackground(.hidden)
            .scrollBounceBehavior(.basedOnSize)
            .scrollDismissesKeyboard(.interactively)
            .navigationTitle($model.title)
            .toolbarTitleDisplayMode(.inline)
            .toolbar {
                ToolbarItem(placement: .topBarTrailing) {
                    Menu("More", systemImage: "ellipsis") { Button("Add", systemImage: "plus") { isShown = true } }
                }
            }
            .toolbar(.hidden, for: .navigationBar)
            .background(.bar)
            .sensoryFeedback(.success, trigger: model.items)
            .sensoryFeedback(.impact(weight: .heavy), trigger: amount) { old, new in old < new }
            .contentTransition(.numericText())
            .onGeometryChange(for: CGSize.self) {
                $0.size
            } action: {
                size = $0
            }
            .animation(.snappy, value: amount)
            .animation(.bouncy(duration: 0.4, extraBounce: 0.1), value: choice)
            .animation(.smooth, value: isShown)
        }
        .alert(failure ?? "", isPresented: $isShown, presenting: failure) { text in
            Button("Retry") {}.keyboardShortcut(.defaultAction)
            Button(text, role: .cancel) {}
        } message: { text in
            Text(text)
        }
    }
}

struct NewGrid: View {
    @State private var query = ""

    var body: some View {
        ScrollView {
            Grid(alignment: .leading, horizontalSpacing: 12, verticalSpacing: 8) {
                GridRow {
                    Text("Name")
                    Text("Ada").textSelection(.enabled)
                }
                Divider()
                GridRow(alignment: .top) { Text("Wide").gridCellColumns(2) }
            }
            .foregroundStyle(.secondary.opacity(0.5))
            UnevenRoundedRectangle(topLeadingRadius: 8, bottomTrailingRadius: 8).fill(.tint.opacity(0.2))
            Image(systemName: "heart").symbolVariant(.fill).allowsHitTesting(false)
            Text("Path: \(URL.documentsDirectory.lastPathComponent)")
        }
        .overlay { if query.isEmpty { ContentUnavailableView.search(text: query) } }
        .overlay {
            ContentUnavailableView {
                Label("None", systemImage: "tray")
            } actions: {
                Button("Add") {}
            }
        }
        .compositingGroup()
        .drawingGroup()
        .onHover { _ in }
    }
}

#Preview("Root") {
    NewRoot().preferredColorScheme(.dark)
}

#Preview {
    @Previewable @State var model = NewModel()
    return NewList(model: model)
}
