import DeviceLink
import ViewTree

@testable import DeviceSimulator

/// A phone at one moment.
struct PhoneLook: Sendable {
    let app: PhoneState.App
    let screen: RenderedTree?
    let status: AppStatus?
}

struct NotSeen: Error, CustomStringConvertible {
    let description: String
}

extension PhoneSimulator {
    var look: PhoneLook { PhoneLook(app: state.app, screen: screen, status: status) }

    /// Returns when the phone is as a test wants it.
    ///
    /// - Throws: ``NotSeen``, with what there is instead, when the test's time is over.
    @discardableResult
    nonisolated func wait(
        for what: String, until isWanted: @escaping @Sendable (PhoneLook) -> Bool,
    ) async throws -> PhoneLook {
        let view = await subscribe()
        let first = await self.look
        if isWanted(first) { return first }
        for await _ in view.events {
            let look = await self.look
            if isWanted(look) { return look }
        }
        let look = await self.look
        throw NotSeen(
            description: """
                waited in vain for \(what); the app is \(look.app.phase), \(look.app.end?.text ?? "has not ended")
                \(look.screen?.root.outline ?? "no screen")
                \(look.status.map { "\($0)" } ?? "no status")
                """)
    }

    /// Starts the app, and returns when it shows something.
    nonisolated func launched() async throws {
        try await perform(.launch)
        let look = try await wait(for: "the app in front") { $0.app.phase == .active || $0.app.phase == .ended }
        if let end = look.app.end { throw NotSeen(description: "the app ended at its start: \(end.text)") }
    }

    /// Returns how the app ended, once it has.
    nonisolated func ended() async throws -> AppEnd? {
        try await wait(for: "the app's end") { $0.app.phase == .ended }.app.end
    }
}
