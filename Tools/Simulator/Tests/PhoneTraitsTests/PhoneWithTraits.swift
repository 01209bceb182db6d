import AstrolabeTestSupport
import Foundation
import ViewTree

@testable import DeviceSimulator

/// A phone that runs `traits-app` as a process of its own.
struct PhoneWithTraits: Sendable {
    let phone: PhoneSimulator

    static func run(
        _ settings: (inout PhoneSettings) -> Void = { _ in }, _ body: (PhoneWithTraits) async throws -> Void,
    ) async throws {
        let folder = TemporaryDirectory()
        var configuration = PhoneConfiguration(
            executable: try BuiltProducts.executable(named: "traits-app"),
            folder: URL(fileURLWithPath: folder.path + "/phone", isDirectory: true))
        settings(&configuration.settings)
        // A busy machine is no app that does not respond.
        configuration.helloTimeout = .seconds(120)
        configuration.launchTimeout = .seconds(120)
        configuration.terminationTimeout = .seconds(120)
        configuration.environment["ASTROLABE_DEVICE_TIMEOUT"] = "60"
        let phone = PhoneSimulator(configuration)
        // Nobody listens at the discard port.
        try await phone.connect(backend: nil, collector: ServerAddress(port: 9))
        let outcome: Result<Void, any Error>
        do {
            try await phone.perform(.launch)
            try await body(PhoneWithTraits(phone: phone))
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await phone.switchOff()
        try outcome.get()
    }

    /// Returns the texts by identifier, once the app is in front and they are as wanted.
    @discardableResult
    func facts(until isWanted: ([String: String]) -> Bool = { _ in true }) async throws -> [String: String] {
        let subscription = await phone.subscribe()
        if let facts = await shown, isWanted(facts) { return facts }
        for await _ in subscription.events {
            if let facts = await shown, isWanted(facts) { return facts }
            if let end = await phone.app.end, end.kind != .exit { throw Ended(description: end.text) }
        }
        throw Ended(description: "the phone was switched off")
    }

    private var shown: [String: String]? {
        get async {
            guard await phone.app.phase == .active, let tree = await phone.screen else { return nil }
            var facts: [String: String] = [:]
            tree.root.forEach { node in
                guard let name = node.properties["identifier"]?.string else { return }
                facts[name] = node.properties["text"]?.string
            }
            return facts.isEmpty ? nil : facts
        }
    }

    struct Ended: Error, CustomStringConvertible {
        let description: String
    }
}
