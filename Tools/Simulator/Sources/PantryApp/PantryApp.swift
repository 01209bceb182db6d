import SwiftUI

/// A household's app with five tabs, for the tests of scenarios. Nothing in it is about the simulated phone.
@main
struct PantryApp: App {
    @StateObject private var pantry = Pantry()

    init() { print("The pantry opens") }

    var body: some Scene {
        WindowGroup { PantryTabs().environmentObject(pantry) }
    }
}

struct PantryTabs: View {
    enum Page: String { case pantry, plan, recipes, basket, settings }

    @EnvironmentObject private var pantry: Pantry
    @State private var page = Page.pantry

    var body: some View {
        TabView(selection: $page) {
            FoodList().tabItem { Label("Pantry", systemImage: "archivebox") }.tag(Page.pantry)
            PlanForm()
                .tabItem { Label("Plan", systemImage: "calendar").accessibilityIdentifier("tab-plan") }
                .tag(Page.plan)
            RecipeList().tabItem { Label("Recipes", systemImage: "book") }.tag(Page.recipes)
            BasketList()
                .tabItem { Label("Basket", systemImage: "cart") }
                .tag(Page.basket)
                .badge(pantry.basket.count)
            SettingsForm().tabItem { Label("Settings", systemImage: "gearshape") }.tag(Page.settings)
        }
        .accessibilityIdentifier("tabs")
        .onOpenURL { url in
            print("Opens \(url.absoluteString)")
            if let page = url.host.flatMap({ Page(rawValue: $0) }) { self.page = page }
        }
    }
}

struct Food: Identifiable, Hashable {
    let id: Int
    var name: String
}

@MainActor
final class Pantry: ObservableObject {
    @Published private(set) var foods = ["Milk", "Rice", "Lentils", "Oats"].enumerated().map { Food(id: $0, name: $1) }
    @Published private(set) var basket: [String] = []
    @Published private(set) var counts = 0

    func add(_ name: String) { foods.append(Food(id: (foods.map(\.id).max() ?? 0) + 1, name: name)) }

    func remove(_ food: Food) { foods.removeAll { $0.id == food.id } }

    func buy(_ food: Food) { basket.append(food.name) }

    func emptyBasket() { basket = [] }

    /// Counts what is on the shelves.
    func count() async {
        await Task.yield()
        counts += 1
        print("Counted \(foods.count) foods")
    }
}
