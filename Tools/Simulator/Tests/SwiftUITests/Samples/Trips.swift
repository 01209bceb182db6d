import SwiftUI

// An app with a navigation path: places and their sights, opened by links and by the app.

struct Place: Hashable, Identifiable {
    let name: String
    let sights: [Sight]
    var id: String { name }
}

struct Sight: Hashable, Identifiable {
    let name: String
    var id: String { name }
}

@MainActor
final class Router: ObservableObject {
    @Published var path = NavigationPath()

    func show(_ place: Place, _ sight: Sight) {
        path = NavigationPath()
        path.append(place)
        path.append(sight)
    }

    func popToRoot() { path.removeLast(path.count) }
}

struct TripsView: View {
    @StateObject private var router = Router()
    @SceneStorage("trips.visits") private var visits = 0
    private let places = [
        Place(name: "Rome", sights: [Sight(name: "Forum"), Sight(name: "Pantheon")]),
        Place(name: "Oslo", sights: [Sight(name: "Opera")]),
    ]

    var body: some View {
        NavigationStack(path: $router.path) {
            List(places) { place in
                NavigationLink(place.name, value: place).accessibilityIdentifier(place.name)
            }
            .navigationTitle("Trips")
            .navigationDestination(for: Place.self) { place in
                List(place.sights) { NavigationLink($0.name, value: $0).accessibilityIdentifier($0.name) }
                    .navigationTitle(place.name)
            }
            .navigationDestination(for: Sight.self) { SightView(sight: $0, visits: $visits) }
            .toolbar {
                ToolbarItem(placement: .topBarTrailing) {
                    Menu {
                        Button("Opera in Oslo") { router.show(places[1], places[1].sights[0]) }
                            .accessibilityIdentifier("shortcut")
                    } label: {
                        Image(systemName: "ellipsis.circle")
                    }
                    .accessibilityIdentifier("more")
                }
            }
        }
        .environmentObject(router)
    }
}

private struct SightView: View {
    let sight: Sight
    @Binding var visits: Int
    @EnvironmentObject private var router: Router

    var body: some View {
        VStack(spacing: 12) {
            Text(sight.name).font(.largeTitle)
            Button("Home") { router.popToRoot() }.accessibilityIdentifier("home")
        }
        .onAppear { visits += 1 }
        .navigationBarTitleDisplayMode(.inline)
    }
}
