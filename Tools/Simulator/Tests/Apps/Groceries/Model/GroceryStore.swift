import Combine
import Foundation

enum Aisle: String, CaseIterable, Identifiable, Codable {
    case produce, bakery, dairy, frozen

    var id: String { rawValue }
    var title: String {
        switch self {
        case .produce: return NSLocalizedString("Produce", comment: "Aisle")
        case .bakery: return NSLocalizedString("Bakery", comment: "Aisle")
        case .dairy: return NSLocalizedString("Dairy", comment: "Aisle")
        case .frozen: return NSLocalizedString("Frozen", comment: "Aisle")
        }
    }
    var symbol: String {
        switch self {
        case .produce: return "leaf.fill"
        case .bakery: return "bag.fill"
        case .dairy: return "drop.fill"
        case .frozen: return "snow"
        }
    }
}

struct Grocery: Identifiable, Codable, Equatable {
    var id = UUID()
    var name: String
    var aisle: Aisle
    var quantity = 1
    var isBought = false
    var note = ""
}

final class GroceryStore: ObservableObject {
    @Published var items: [Grocery] = []
    @Published var showsBought = true

    private var cancellables = Set<AnyCancellable>()
    private let key = "groceries"

    init(defaults: UserDefaults = .standard) {
        if let data = defaults.data(forKey: key), let saved = try? JSONDecoder().decode([Grocery].self, from: data) {
            items = saved
        } else {
            items = [
                Grocery(name: "Apples", aisle: .produce, quantity: 6),
                Grocery(name: "Rye bread", aisle: .bakery),
                Grocery(name: "Oat milk", aisle: .dairy, quantity: 2),
            ]
        }
        $items
            .dropFirst()
            .debounce(for: .seconds(1), scheduler: DispatchQueue.main)
            .sink { [weak self] _ in self?.save() }
            .store(in: &cancellables)
    }

    var visible: [Grocery] { showsBought ? items : items.filter { !$0.isBought } }
    var remaining: Int { items.filter { !$0.isBought }.count }

    func toggle(_ item: Grocery) {
        guard let index = items.firstIndex(where: { $0.id == item.id }) else { return }
        items[index].isBought.toggle()
    }

    func add(_ item: Grocery) { items.append(item) }
    func delete(at offsets: IndexSet) { items.remove(atOffsets: offsets) }
    func move(from source: IndexSet, to destination: Int) { items.move(fromOffsets: source, toOffset: destination) }
    func removeAll() { items.removeAll() }

    func save() {
        guard let data = try? JSONEncoder().encode(items) else { return }
        UserDefaults.standard.set(data, forKey: key)
    }
}
