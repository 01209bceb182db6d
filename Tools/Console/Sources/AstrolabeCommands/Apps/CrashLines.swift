import Foundation
import Symbolication

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The crashes that a console has received, each with the line of the app's source.
enum CrashLines {
    private struct Groups: Decodable {
        struct Group: Decodable {
            let title: String
            let place: String
        }
        let groups: [Group]
    }

    /// Gives the console the app's symbols, and asks it for the crashes.
    ///
    /// - Returns: Lines such as `Fatal error: no moon · ContentView.crash() · ContentView.swift:26`; empty if the
    ///   console has received no crash.
    static func read(from address: String, executable: URL, symbols: URL) async throws -> [String] {
        if try await groups(address).isEmpty { return [] }
        // An app without a build id has no symbols; its crash then has no line.
        _ = try? SymbolStore(folder: symbols).add(executable)
        return try await groups(address).map { group in
            group.place.isEmpty ? group.title : "\(group.title) · \(group.place)"
        }
    }

    private static func groups(_ address: String) async throws -> [Groups.Group] {
        guard let url = URL(string: address + "/api/v1/health/groups?kind=crash") else { return [] }
        let (data, _) = try await URLSession.shared.data(from: url)
        return try JSONDecoder().decode(Groups.self, from: data).groups
    }
}
