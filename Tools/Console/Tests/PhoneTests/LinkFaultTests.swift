import Foundation
import Testing
import ViewTree

@testable import DeviceSimulator

/// Apps that do not speak the link as `Docs/Internals/DeviceLink.md` has it: none harms the phone.
@Suite(.timeLimit(.minutes(10)), .enabled(if: StandInApp.isAvailable, "there is no Python here"))
struct `A phone with a faulty app` {
    @Test(arguments: [
        ("hello(version=9); time.sleep(600)", "it uses version 9 of the device link. Expected version 1"),
        ("say('screen', screen(1, 'early')); time.sleep(600)", "its first message was not hello"),
        (
            "hello(); say('screen', screen(1, 'noise')); link.sendall(b'noise\\n' * 101); time.sleep(600)",
            "its link to the phone is closed after 101 malformed messages",
        ),
        (
            "hello(); say('screen', screen(1, 'long')); link.sendall(b'x' * (17 << 20)); time.sleep(600)",
            "its link to the phone is closed",
        ),
        (
            "hello(); say('screen', screen(1, 'gone')); link.close(); time.sleep(600)",
            "its link to the phone is closed",
        ),
    ])
    func `kills it, and says why`(program: String, words: String) async throws {
        let app = StandInApp.python("try:\n    \(program)\nexcept OSError:\n    time.sleep(600)")
        try await PhoneUnderTest.run(app, adjust: { $0.terminationTimeout = .milliseconds(500) }) { subject in
            try await subject.phone.perform(.launch)
            let end = try await subject.phone.ended()
            #expect(end?.kind == .killed)
            #expect(end?.text == "The app was killed: \(words).")
        }
    }

    @Test func `skips what is no message, and shows what is`() async throws {
        let app = StandInApp.python(
            #"""
            hello()
            link.makefile("r").readline()
            link.sendall(b'{"type":"screen","body":7}\n\xff\xfe\n[[[[\n{"type":"nonsense"}\n\n{"type":"outcome"}\n')
            say("outcome", {"number": 4711, "outcome": "handled"})
            say("patch", {"base": 99, "revision": 100, "root": 1, "nodes": [], "removed": []})
            say("screen", screen(5, "whole"))
            say("patch", {"base": 4, "revision": 6, "root": 1, "nodes": [], "removed": []})
            say("patch", {"base": 5, "revision": 6, "root": 7, "nodes": [], "removed": [1, 2]})
            time.sleep(600)
            """#)
        try await PhoneUnderTest.run(app) { subject in
            try await subject.phone.perform(.launch)
            let look = try await subject.phone.wait(for: "the screen") { $0.screen != nil && $0.app.phase == .active }
            #expect(look.screen?.revision == 5)
            #expect(look.screen?.contains("count") == true)
        }
    }

    @Test func `asks for the whole screen when a patch does not fit`() async throws {
        let app = StandInApp.python(
            """
            hello()
            lines = link.makefile("r")
            while json.loads(lines.readline())["type"] != "begin": pass
            say("screen", screen(1, "old"))
            say("patch", {"base": 7, "revision": 8, "root": 1, "nodes": [], "removed": []})
            while json.loads(lines.readline())["type"] != "screen": pass
            say("screen", screen(8, "new"))
            time.sleep(600)
            """)
        try await PhoneUnderTest.run(app) { subject in
            try await subject.phone.perform(.launch)
            try await subject.phone.wait(for: "the newer screen") { $0.screen?.revision == 8 }
        }
    }
}
