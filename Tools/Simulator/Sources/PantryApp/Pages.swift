import SwiftUI

struct FoodList: View {
    @EnvironmentObject private var pantry: Pantry
    @State private var query = ""
    @State private var isAdding = false

    private var shown: [Food] {
        query.isEmpty ? pantry.foods : pantry.foods.filter { $0.name.lowercased().contains(query.lowercased()) }
    }

    var body: some View {
        NavigationStack {
            List {
                Section {
                    ForEach(shown) { food in
                        HStack {
                            Text(food.name)
                            Spacer()
                            Button("Buy") { pantry.buy(food) }.buttonStyle(.borderless)
                        }
                        .swipeActions {
                            Button("Used up", role: .destructive) { pantry.remove(food) }
                            Button("Buy again") { pantry.buy(food) }
                        }
                    }
                }
                Section {
                    Text("Counted \(pantry.counts) times").accessibilityIdentifier("counts")
                }
            }
            .searchable(text: $query, prompt: "Search the pantry")
            .refreshable { await pantry.count() }
            .navigationTitle("Foods")
            .toolbar {
                ToolbarItem(placement: .primaryAction) { Button("New") { isAdding = true } }
            }
            .sheet(isPresented: $isAdding) { NewFood() }
        }
    }
}

struct NewFood: View {
    @EnvironmentObject private var pantry: Pantry
    @Environment(\.dismiss) private var dismiss
    @State private var name = ""

    var body: some View {
        NavigationStack {
            Form {
                TextField("Name of the food", text: $name)
                Button("Put on the shelf") {
                    pantry.add(name)
                    dismiss()
                }
                .disabled(name.isEmpty)
            }
            .navigationTitle("New food")
        }
    }
}

struct PlanForm: View {
    enum Meal: String, CaseIterable { case breakfast, lunch, dinner }

    @State private var day = Date(timeIntervalSince1970: 1_795_608_000)
    @State private var meal = Meal.lunch
    @State private var guests = 2
    @State private var spice = 0.5
    @Environment(\.timeZone) private var timeZone

    private var summary: String {
        var style = Date.ISO8601FormatStyle.iso8601.year().month().day()
        style.timeZone = timeZone
        return "\(meal.rawValue) for \(guests) on \(day.formatted(style)), \(Int((spice * 100).rounded())) % spice"
    }

    var body: some View {
        NavigationStack {
            Form {
                DatePicker("Day", selection: $day, displayedComponents: .date)
                Picker("Meal", selection: $meal) {
                    ForEach(Meal.allCases, id: \.self) { Text($0.rawValue.capitalized).tag($0) }
                }
                Stepper("Guests", value: $guests, in: 1...12)
                Slider(value: $spice, in: 0...1).accessibilityIdentifier("spice")
                Text(verbatim: summary).accessibilityIdentifier("summary")
            }
            .navigationTitle("The plan")
        }
    }
}

struct RecipeList: View {
    @State private var recipes = ["Curry", "Bread", "Soup"]
    @State private var favourite = "none"

    var body: some View {
        NavigationStack {
            List {
                ForEach(recipes, id: \.self) { recipe in
                    NavigationLink(recipe, value: recipe)
                        .contextMenu {
                            Button("Make it a favourite") { favourite = recipe }
                        }
                }
                Text("Favourite: \(favourite)")
            }
            .navigationTitle("All recipes")
            .navigationDestination(for: String.self) { recipe in
                Text("How to make \(recipe.lowercased())").navigationTitle(recipe)
            }
            .toolbar {
                ToolbarItem(placement: .primaryAction) {
                    Menu("Sort") {
                        Button("By name") { recipes.sort() }
                        Button("Backwards") { recipes.sort(by: >) }
                    }
                }
            }
        }
    }
}

struct BasketList: View {
    @EnvironmentObject private var pantry: Pantry
    @State private var isAsking = false

    var body: some View {
        NavigationStack {
            List {
                ForEach(Array(pantry.basket.enumerated()), id: \.offset) { Text("1 × \($0.element)") }
                if pantry.basket.isEmpty { Text("Nothing to buy") }
                Button("Empty the basket") { isAsking = true }.disabled(pantry.basket.isEmpty)
            }
            .navigationTitle("Shopping")
            .confirmationDialog("Forget it all?", isPresented: $isAsking) {
                Button("Forget", role: .destructive) { pantry.emptyBasket() }
            } message: {
                Text("This cannot be undone.")
            }
        }
    }
}

struct SettingsForm: View {
    @State private var isReminding = false
    @State private var isAsking = false
    @State private var answer = "not asked"
    @State private var pin = ""

    var body: some View {
        NavigationStack {
            Form {
                Toggle("Remind me", isOn: $isReminding)
                Button("Look for shops nearby") { isAsking = true }
                Text("Location: \(answer)")
                SecureField("PIN", text: $pin)
            }
            .navigationTitle("All settings")
            .alert("May the pantry use your location?", isPresented: $isAsking) {
                Button("Allow") { answer = "allowed" }
                Button("Don't allow", role: .cancel) { answer = "refused" }
            }
        }
    }
}
