import ArgumentParser
import Foundation
import Symbolication

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The command that sends debug symbols to a console on another machine.
struct SymbolsUploadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload", abstract: "Send debug symbols to a console, with the key in ASTROLABE_KEY.",
        discussion: "Make the key with `astrolabe keys create NAME --use symbols`.")

    @Option(help: "The address of the console, such as https://console.example.com.")
    var to: String

    @Argument(help: "Executables, libraries, .debug files and .dSYM bundles (not stripped).")
    var files: [String]

    func validate() throws {
        try ConsoleAddress.check(to, option: "--to", example: "https://console.example.com")
    }

    func run() async throws {
        try await UserFacingErrors.run {
            let store = SymbolStore(folder: FileManager.default.temporaryDirectory)
            let images = try files.flatMap { try store.files(of: URL(fileURLWithPath: $0)) }
            for (number, image) in images.enumerated() {
                let bytes = try FileManager.default.attributesOfItem(atPath: image.path)[.size] as? Int64 ?? 0
                let size = ByteCountFormatter.string(fromByteCount: bytes, countStyle: .binary)
                say("sending \(image.lastPathComponent), \(size) (\(number + 1) of \(images.count))")
                for stored in try await upload(image) {
                    say("\(stored.isNew ? "added " : "exists")  \(stored.buildID)  \(stored.name)")
                }
            }
        }
    }

    private struct Stored: Decodable {
        let buildID: String
        let name: String
        let isNew: Bool
    }

    private func upload(_ image: URL) async throws -> [Stored] {
        guard var address = URLComponents(string: to) else {
            throw ConsoleAddress.Failure(description: "not an address")
        }
        address.path += (address.path.hasSuffix("/") ? "" : "/") + "api/v1/symbols"
        address.queryItems = [URLQueryItem(name: "name", value: image.lastPathComponent)]
        // A plus, which Foundation leaves as it is, is a space to the console.
        address.percentEncodedQuery = address.percentEncodedQuery?.replacing("+", with: "%2B")
        guard let url = address.url else { throw ConsoleAddress.Failure(description: "not an address: \(to)") }
        var request = URLRequest(url: url, timeoutInterval: 600)
        request.httpMethod = "POST"
        request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        for (name, value) in ConsoleKey.headers { request.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await ConsoleAddress.exchange(at: to) {
            try await URLSession.shared.upload(for: request, fromFile: image)
        }
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw ConsoleAddress.failure(at: to, response, body)
        }
        return try JSONDecoder().decode([String: [Stored]].self, from: body)["symbols"] ?? []
    }
}
