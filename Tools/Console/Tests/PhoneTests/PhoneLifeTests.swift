import AstrolabeTestSupport
import BrowserKit
import ConsoleModel
import DeviceLink
import Foundation
import Testing
import ViewTree

@testable import DeviceSimulator

@Suite(.timeLimit(.minutes(10)), .enabled(if: StandInApp.isAvailable, "there is no Python here"))
struct `A phone` {
    @Test func `takes an app through its life`() async throws {
        try await PhoneUnderTest.run(.counter) { subject in
            let phone = subject.phone
            #expect(await phone.state.app.phase == .notRunning)
            try await phone.launched()
            let pid = try #require(await phone.state.app.pid)
            try await phone.perform(.background)
            #expect(await phone.state.app.phase == .background)
            try await phone.perform(.foreground)
            #expect(await phone.state.app.phase == .active)
            try await phone.perform(.suspend)
            #expect(await phone.state.app.phase == .suspended)
            try await Self.waitUntilStopped(pid, true)
            try await phone.perform(.resume)
            #expect(await phone.state.app.phase == .background)
            try await Self.waitUntilStopped(pid, false)
            try await phone.perform(.suspend)
            try await phone.perform(.foreground)
            #expect(await phone.state.app.phase == .active)
            try await Self.waitUntilStopped(pid, false)
            try await phone.perform(.terminate)
            #expect(try await phone.ended()?.text == "The app was closed.")
            #expect(await phone.state.app.pid == nil)
            try await phone.launched()
            #expect(await phone.state.app.launches == 2)
            try await phone.perform(.suspend)
            try await phone.perform(.kill)
            let end = try await phone.ended()
            #expect(end?.kind == .killed)
            #expect(end?.text == "The app was killed.")
        }
    }

    @Test func `says what an app must be that is asked too early`() async throws {
        let cases: [(PhoneAction, String)] = [
            (.terminate, "the app is not running"), (.kill, "the app is not running"),
            (.suspend, "the app is not running; to suspend it, it must be in the background"),
            (.resume, "the app is not running; to resume it, it must be suspended"),
            (.background, "the app is not running; to send it to the background, it must be in the foreground"),
            (.foreground, "the app is not running; to bring it to the foreground, it must be in the background"),
            (.keepRecording, "the app is not running; to keep its recording, it must be running"),
        ]
        try await PhoneUnderTest.run(.counter) { subject in
            for (action, words) in cases {
                await #expect(throws: PhoneError.wrongPhase(words)) { try await subject.phone.perform(action) }
                #expect(await subject.phone.state.app.phase == .notRunning)
            }
        }
    }

    @Test func `does nothing with a running app that its phase does not allow`() async throws {
        try await PhoneUnderTest.run(.counter) { subject in
            let phone = subject.phone
            try await phone.launched()
            await #expect(throws: PhoneError.wrongPhase("the app is already running")) {
                try await phone.perform(.launch)
            }
            await #expect(throws: PhoneError.self) { try await phone.perform(.resume) }
            try await phone.perform(.foreground)
            try await phone.perform(.background)
            await #expect(throws: PhoneError.self) { try await phone.perform(.background) }
            #expect(await phone.state.app.phase == .background)
            #expect(await phone.state.app.launches == 1)
        }
    }

    @Test func `kills an app that does not end when it is asked to`() async throws {
        let deaf = StandInApp.python("hello(); say('screen', screen(1, 'deaf')); time.sleep(600)")
        try await PhoneUnderTest.run(deaf, adjust: { $0.terminationTimeout = .milliseconds(300) }) { subject in
            try await subject.phone.launched()
            try await subject.phone.perform(.terminate)
            #expect(try await subject.phone.ended()?.kind == .killed)
        }
    }

    @Test func `kills an app that shows nothing, and says so`() async throws {
        let silent = StandInApp.shell("exec sleep 600")
        try await PhoneUnderTest.run(silent, adjust: { $0.launchTimeout = .seconds(1) }) { subject in
            try await subject.phone.perform(.launch)
            let end = try await subject.phone.ended()
            #expect(end?.text == "The app was killed: no screen after 1 s.")
        }
    }

    @Test(arguments: [
        (
            "echo 'Shop/Cart.swift:12: Fatal error: Index out of range' >&2; seq 40 >&2; kill -TRAP $$",
            AppEnd.Kind.signal,
            "The app crashed: SIGTRAP, trap. Fatal error: Index out of range", "Fatal error: Index out of range",
        ),
        (
            "kill -SEGV $$", .signal, "The app crashed: SIGSEGV, invalid memory access.",
            "SIGSEGV, invalid memory access",
        ),
        (
            "kill -KILL $$", .signal, "The app crashed: SIGKILL, killed by the system.",
            "SIGKILL, killed by the system",
        ),
        (
            "echo 'no shop' >&2; exit 3", .exit,
            "The app ended with status 3, without hello over the link. no shop. \(AppEnd.linkAdvice).", "no shop",
        ),
        (
            "exit 0", .exit, "The app ended with status 0, without hello over the link. \(AppEnd.linkAdvice).",
            "It ended without hello over the link.",
        ),
    ])
    func `tells how an app ended that nobody ended, and does not repeat the title of the card`(
        commands: String, kind: AppEnd.Kind, text: String, detail: String,
    ) async throws {
        try await PhoneUnderTest.run(.shell(commands)) { subject in
            try await subject.phone.perform(.launch)
            let end = try await subject.phone.ended()
            #expect(end?.kind == kind)
            #expect(end?.text == text)
            #expect(end?.detail == detail)
            await #expect(throws: PhoneError.wrongPhase("no app is running on the phone")) {
                try await subject.phone.send(.init(node: 1, action: .tap))
            }
        }
    }

    @Test func `tells why an app cannot be started`() async throws {
        let folder = TemporaryDirectory()
        let nowhere = URL(fileURLWithPath: folder.path + "/nothing")
        let phone = PhoneSimulator(PhoneConfiguration(executable: nowhere, folder: nowhere))
        await #expect(throws: PhoneError.cannotLaunch("the phone has no network yet")) {
            try await phone.perform(.launch)
        }
        try await phone.connect(backend: ServerAddress(port: 9), collector: ServerAddress(port: 9))
        let error = await #expect(throws: PhoneError.self) { try await phone.perform(.launch) }
        #expect("\(try #require(error))".hasPrefix("cannot start \(nowhere.path): "))
        #expect(await phone.state.app.phase == .notRunning)
        await phone.switchOff()
    }

    @Test func `ends every watch when it is switched off`() async throws {
        let phones = try await PhoneUnderTest.run(.counter) { subject in
            try await subject.phone.launched()
            let views = [await subject.phone.subscribe(), await subject.phone.subscribe()]
            await subject.phone.switchOff()
            for view in views { for await _ in view.events {} }
            return subject.phone
        }
        #expect(await phones.state.app.end?.kind == .exit)
    }

    @Test func `has the network that was set last, however quickly it is set`() async throws {
        try await PhoneUnderTest.run(.counter) { subject in
            let phone = subject.phone
            let port = try #require(await phone.relays?.backend?.port)
            for _ in 0..<20 {
                let view = await phone.subscribe()
                let off = Task { try await phone.set { $0.network = .airplane } }
                // The phone has the setting, and its network does not follow it yet.
                for await case .state(let state) in view.events where state.settings.network == .airplane { break }
                try await phone.set { $0.network = .wifi }
                try await off.value
                #expect(throws: Never.self) { try LineSocket.request(port: port, "") }
            }
        }
    }

    /// Waits until the system has stopped the process, or continued it: a signal takes effect after it is sent.
    private static func waitUntilStopped(_ pid: Int, _ isWanted: Bool) async throws {
        try await eventually(isWanted ? "the process is stopped" : "the process runs") {
            let status = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
            return status.split(separator: ")").last?.hasPrefix(" T") == isWanted
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A phone with the shop on it` {
    @Test func `is another installation once the app is reinstalled`() async throws {
        try await PhoneUnderTest.run { subject in
            let phone = subject.phone
            try await phone.launched()
            try await Self.waitForDevices(1, in: subject)
            try await phone.perform(.terminate)
            try await phone.launched()
            try await phone.perform(.background)
            try await phone.wait(for: "an upload") {
                $0.status?.ledger.inJournal == 0 && $0.status?.ledger.inQueue == 0
            }
            #expect(try await subject.store.devices().elements.count == 1)
            try await phone.perform(.reinstall)
            try await phone.wait(for: "the app in front") { $0.app.phase == .active }
            try await Self.waitForDevices(2, in: subject)
        }
    }

    /// Sends the app to the background, where it sends what it has, and waits until so many devices are known.
    private static func waitForDevices(_ count: Int, in subject: PhoneUnderTest) async throws {
        let changes = await subject.store.changes()
        try await subject.phone.perform(.background)
        var news = changes.signals.makeAsyncIterator()
        repeat {
            if try await subject.store.devices().elements.count == count { return }
        } while await news.next() != nil
    }

    @Test func `has the pictures that its screen names, and no others`() async throws {
        try await PhoneUnderTest.run { subject in
            let phone = subject.phone
            try await phone.launched()
            let button = try #require(await phone.screen?.root.target(of: .tap, "go-shopping"))
            #expect(try await phone.touch(.init(node: button.id, action: .tap)) == .handled)
            let look = try await phone.wait(for: "a picture") { look in
                look.screen?.root.first { $0.properties["resource"]?.string != nil } != nil
            }
            let image = look.screen?.root.first { $0.properties["resource"]?.string != nil }
            let name = try #require(image?.properties["resource"]?.string)
            let picture = try await phone.picture(name)
            #expect(picture.type?.hasPrefix("image/") == true)
            #expect((picture.data?.count ?? 0) > 100)
            await #expect(throws: PhoneError.noSuchPicture("nothing")) { try await phone.picture("nothing") }
            try await phone.perform(.kill)
            _ = try await phone.ended()
            // A page that is opened now still shows the last screen, as it was.
            #expect(try await phone.picture(name).data == picture.data)
            await #expect(throws: PhoneError.noSuchPicture("nothing")) { try await phone.picture("nothing") }
        }
    }
}
