import DeviceSimulator
import Foundation

/// The demo of an app of the user's own: the phone, the console, and the app's backend, if it has one.
struct AppStage: Sendable {
    let plug: ConsoleSwitch
    let phone: DemoPhone
    let backend: AppBackend?

    /// Runs until the task is cancelled.
    ///
    /// - Throws: `PhoneError` if the app cannot be started.
    func run() async throws {
        let address = await plug.address
        let outcome: Result<Void, any Error>
        do {
            let events = await phone.phone.subscribe().events
            try await phone.start(backend, consolePort: await plug.port)
            say(
                """

                Phone    \(address)/device/     (the running app, and the conditions you can change)
                Console  \(address)/            (live sessions, and the lines at which the app crashed)
                Output   \(phone.phone.configuration.log.path)

                Press Ctrl-C to stop. Type u and press Return to unplug the console; do it again to plug it in.

                """)
            let typing = Task { try await plug.followTyping() }
            defer { typing.cancel() }
            var lastReported = 0
            for await event in events {
                guard case .state(let state) = event, let end = state.app.end, state.app.launches > lastReported else {
                    continue
                }
                lastReported = state.app.launches
                say(end.text)
            }
            try Task.checkCancellation()
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await phone.phone.switchOff()
        backend?.stop()
        try outcome.get()
    }
}
