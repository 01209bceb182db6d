import SwiftUI

struct GroceryListView: View {
    @EnvironmentObject var store: GroceryStore
    @State private var isAdding = false
    @State private var isAsking = false
    @State private var showsSettings = false

    var body: some View {
        NavigationView {
            List {
                ForEach(store.visible) { item in
                    NavigationLink(destination: GroceryDetailView(item: binding(for: item))) {
                        GroceryRow(item: item) { self.store.toggle(item) }
                    }
                }
                .onDelete(perform: store.delete)
                .onMove(perform: store.move)
            }
            .listStyle(PlainListStyle())
            .navigationBarTitle(Text("Groceries"))
            .navigationBarItems(
                leading: EditButton(),
                trailing: HStack(spacing: 20) {
                    Button(action: { self.isAsking = true }) { Image(systemName: "ellipsis.circle") }
                        .accessibility(label: Text("More"))
                    Button(action: { self.isAdding = true }) { Image(systemName: "plus") }
                        .accessibility(identifier: "add")
                }
            )
            .overlay(Group { if store.visible.isEmpty { EmptyListView() } })
            .actionSheet(isPresented: $isAsking) {
                ActionSheet(
                    title: Text("Groceries"), message: Text("\(store.remaining) left to buy"),
                    buttons: [
                        .default(Text(store.showsBought ? "Hide bought" : "Show bought")) {
                            self.store.showsBought.toggle()
                        },
                        .default(Text("Settings")) { self.showsSettings = true },
                        .destructive(Text("Delete all"), action: store.removeAll),
                        .cancel(),
                    ])
            }
            .sheet(isPresented: $isAdding) {
                AddGroceryView().environmentObject(self.store)
            }
            .background(NavigationLink("", destination: SettingsView(), isActive: $showsSettings).hidden())
        }
        .navigationViewStyle(StackNavigationViewStyle())
    }

    private func binding(for item: Grocery) -> Binding<Grocery> {
        guard let index = store.items.firstIndex(where: { $0.id == item.id }) else { return .constant(item) }
        return $store.items[index]
    }
}

struct GroceryListView_Previews: PreviewProvider {
    static var previews: some View {
        Group {
            GroceryListView()
            GroceryListView().preferredColorScheme(.dark)
            GroceryListView().environment(\.locale, Locale(identifier: "de"))
        }
        .environmentObject(GroceryStore())
    }
}
