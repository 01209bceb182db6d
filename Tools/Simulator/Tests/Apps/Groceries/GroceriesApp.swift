import SwiftUI

@main
struct GroceriesApp: App {
    @StateObject private var store = GroceryStore()
    @Environment(\.scenePhase) private var scenePhase

    var body: some Scene {
        WindowGroup {
            GroceryListView()
                .environmentObject(store)
        }
        .onChange(of: scenePhase) { phase in
            if phase == .background { store.save() }
        }
    }
}
