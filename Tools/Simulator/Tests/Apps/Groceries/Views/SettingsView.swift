import SwiftUI

struct SettingsView: View {
    @AppStorage("sortsByAisle") private var sortsByAisle = false
    @AppStorage("userName") private var userName = ""
    @EnvironmentObject var store: GroceryStore

    var body: some View {
        Form {
            Section(header: Text("General")) {
                TextField("Your name", text: $userName)
                Toggle("Sort by aisle", isOn: $sortsByAisle)
                Toggle("Show bought", isOn: $store.showsBought)
            }
            Section {
                HStack {
                    Text("Items")
                    Spacer()
                    Text("\(store.items.count)").foregroundColor(.secondary)
                }
                if let website = URL(string: "https://example.com") {
                    Link("Website", destination: website)
                }
            }
        }
        .navigationBarTitle("Settings")
        .listStyle(GroupedListStyle())
    }
}
