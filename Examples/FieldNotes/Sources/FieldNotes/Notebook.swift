import Astrolabe
import AstrolabeHTTP
import Combine
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Note: Codable, Hashable, Identifiable {
    var id: Int
    var title: String
    var text: String
}

/// The notes, which come from the backend and are kept in memory.
@MainActor
final class Notebook: ObservableObject {
    @Published private(set) var notes: [Note] = []
    @Published private(set) var problem: String?
    @Published var isRedLightOn = false

    private let session: TracedURLSession
    private let events: EventLogger

    init(_ telemetry: Telemetry) {
        session = TracedURLSession(telemetry, allowedHosts: ["127.0.0.1"])
        events = telemetry.logger("field-notes")
    }

    /// The backend's address: the scheme's in Xcode, the phone's on Linux.
    private static var backend: String {
        ProcessInfo.processInfo.environment["ASTROLABE_BACKEND_URL"] ?? "http://127.0.0.1:8080"
    }

    func load() async {
        problem = nil
        do {
            guard let url = URL(string: Self.backend + "/notes.json") else { throw URLError(.badURL) }
            let (data, response) = try await session.data(for: URLRequest(url: url), template: "/notes.json")
            guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
            let loaded = try JSONDecoder().decode([Note].self, from: data)
            notes = loaded + notes.filter { note in !loaded.contains { $0.id == note.id } }
        } catch {
            problem = "The notes cannot be loaded."
        }
    }

    func add(_ title: String, _ text: String) {
        notes.append(Note(id: (notes.map(\.id).max() ?? 0) + 1, title: title, text: text))
        events.emit("note.added", attributes: ["note.length": text.count])
    }
}
