import AstrolabeTestSupport
import BrowserKit
import DeviceLink
import Foundation
import Testing
import ViewTree

@testable import DeviceSimulator

/// Requests of the page to its server, over a real socket, and requests of others there.
@Suite(.timeLimit(.minutes(10)), .enabled(if: StandInApp.isAvailable, "there is no Python here"))
struct `The phone's pages` {
    @Test func `are below a slash, to which their name alone leads`() async throws {
        try await PhoneUnderTest.run(.counter) { subject in
            let socket = try LineSocket.request(
                port: subject.port, "GET /device HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            var head: [String] = []
            for await line in socket.lines { head.append(line.lowercased()) }
            #expect(head.first?.hasPrefix("http/1.1 307") == true)
            #expect(head.contains("location: /device/"))
            let page = try await HTTP.request("GET", subject.page)
            #expect(page.status == 200)
            #expect(page.text.contains("<title>Astrolabe device</title>"))
            #expect(page[header: "Content-Security-Policy"]?.contains("default-src 'none'") == true)
            #expect(try await HTTP.request("HEAD", subject.page).status == 200)
        }
    }

    @Test func `are a document, a script, a style sheet and the pictures that these name`() async throws {
        try await PhoneUnderTest.run(.counter) { subject in
            var pending = try [#require(URL(string: subject.page))]
            var seen: Set<URL> = []
            while let file = pending.popLast() {
                guard seen.insert(file).inserted else { continue }
                let response = try await HTTP.request("GET", file.absoluteString)
                #expect(response.status == 200, "\(file.path)")
                for match in response.text.matches(of: /"(assets\/[a-z\/.\-]+|[a-z]+\.svg)"/) {
                    pending.append(try #require(URL(string: String(match.1), relativeTo: file)).absoluteURL)
                }
            }
            let names = seen.map(\.lastPathComponent).sorted()
            #expect(names == ["app.css", "app.js", "device", "icon.svg", "spinner.svg"])
        }
    }

    private static let deep = [UInt8](repeating: UInt8(ascii: "["), count: 60_000)
    private static let long =
        Array(#"{"node":2,"action":"tap","value":""#.utf8) + [UInt8](repeating: 97, count: 70_000)

    private static let refused: [(what: String, body: String, type: String?, status: Int, words: String)] = [
        ("events", #"{"node":2,"action":"tap"}"#, "text/plain", 415, "expected Content-Type: application/json"),
        ("events", #"{"node":2,"action":"tap"}"#, nil, 415, "expected Content-Type: application/json"),
        ("events", "{", "application/json", 400, "expected an event"),
        ("events", "", "application/json", 400, "expected an event"),
        ("events", "[1, 2]", "application/json", 400, "expected an event"),
        ("events", #"{"node":"two","action":"tap"}"#, "application/json", 400, "expected an event: node"),
        ("events", #"{"node":1e300,"action":"tap"}"#, "application/json", 400, "expected an event: "),
        ("events", #"{"node":2,"action":"fly"}"#, "application/json", 400, "expected an event: action"),
        ("actions", #"{"do":"fly"}"#, "application/json", 400, "expected an action: do"),
        ("actions", "{}", "application/json", 400, "expected an action: do:, set: or open:"),
        ("actions", #"{"open":"cart"}"#, "application/json", 400, "expected a URL with a scheme"),
        ("actions", #"{"set":{"network":"lte"}}"#, "application/json", 400, "expected an action: set.network"),
        ("actions", #"{"set":{"batteryLevel":7}}"#, "application/json", 400, "batteryLevel: expected 0 to 1; found 7"),
        ("actions", #"{"set":{"locale":"<b>"}}"#, "application/json", 400, "locale: expected an identifier"),
        ("actions", #"{"do":"launch"}"#, "application/json", 409, "the app is already running"),
        ("nothing", "{}", "application/json", 404, "POST /device/api/v1/nothing is not supported"),
    ]

    @Test func `refuse what they cannot take, in words`() async throws {
        try await PhoneUnderTest.run(.counter) { subject in
            try await subject.phone.launched()
            for (what, body, type, status, words) in Self.refused {
                let answer = try await subject.post(what, Array(body.utf8), type: type)
                #expect(answer.status == status, "\(what) \(body)")
                let message = try JSONResponse(answer.body)["error"].text ?? ""
                #expect(message.contains(words), "\(what) \(body): \(message)")
            }
            #expect(try await subject.act(["do": "background"]).status == 200)
        }
    }

    @Test func `refuse what is too long or too deep, and go on`() async throws {
        try await PhoneUnderTest.run(.counter) { subject in
            try await subject.phone.launched()
            let long = try await subject.post("events", Self.long)
            #expect(long.status == 413)
            #expect(long.text.contains("the body is larger than 65536 bytes"))
            #expect(try await subject.post("events", Self.deep).status == 400)
            // As JSON of the link it is longer than a line may be.
            let slashes = #"{"node":2,"action":"change","value":""# + String(repeating: "/", count: 60_000) + #""}"#
            let answer = try await subject.post("events", Array(slashes.utf8))
            #expect(answer.status == 503)
            #expect(answer.text.contains("the event is too long"))
            #expect(try await subject.post("events", Array(#"{"node":2,"action":"tap"}"#.utf8)).status == 200)
            try await subject.phone.wait(for: "the tap") { $0.screen?.says("Tapped 1 times") == true }
        }
    }

    @Test func `tell every reader what an event has led to, and that its node is gone`() async throws {
        try await PhoneUnderTest.run(.counter) { subject in
            try await subject.phone.launched()
            let readers = try [0, 1].map { _ in try Self.reader(of: subject) }
            for reader in readers { #expect(await reader.next("hello")?.contains("Tapped 0 times") == true) }
            #expect(
                try await subject.post("events", Array(#"{"node":2,"action":"tap"}"#.utf8)).text == #"{"number":1}"#)
            for reader in readers {
                #expect(await reader.next("screen")?.contains("Tapped 1 times") == true)
                #expect(await reader.next("outcome")?.contains(#""handled""#) == true)
            }
            #expect(try await subject.post("events", Array(#"{"node":99,"action":"tap"}"#.utf8)).status == 200)
            for reader in readers { #expect(await reader.next("outcome")?.contains(#""gone""#) == true) }
            try await subject.phone.perform(.kill)
            for reader in readers {
                while await reader.next("state")?.contains(#""kind":"killed""#) == false {}
            }
            #expect(try await subject.post("events", Array(#"{"node":2,"action":"tap"}"#.utf8)).status == 409)
        }
    }

    @Test func `have room for 32 readers, and for another when one has gone`() async throws {
        try await PhoneUnderTest.run(.counter) { subject in
            var readers: [NewsReader] = []
            for _ in 0..<32 {
                let reader = try Self.reader(of: subject)
                #expect(await reader.next("hello") != nil)
                readers.append(reader)
            }
            let refused = try await HTTP.request("GET", "\(subject.page)api/v1/live")
            #expect(refused.status == 503)
            #expect(refused.text.contains("32 pages already show the phone"))
            readers.removeLast().socket.hangUp()
            // The server notices when it has something to say.
            var level = 0.5
            try await eventually("there is room for another reader") {
                level = 1.1 - level
                let next = level
                try await subject.phone.set { $0.batteryLevel = next }
                return await (try Self.reader(of: subject)).next("hello") != nil
            }
        }
    }

    @Test func `show no picture that the app does not have`() async throws {
        try await PhoneUnderTest.run(.counter) { subject in
            try await subject.phone.launched()
            for name in ["nothing", "..%2F..%2Fetc%2Fpasswd", "%00"] {
                let answer = try await HTTP.request("GET", "\(subject.page)api/v1/resources/\(name)")
                #expect(answer.status == 404)
                #expect(answer.text.contains("the app has no image named"))
            }
        }
    }

    private static func reader(of subject: PhoneUnderTest) throws -> NewsReader {
        NewsReader(
            try LineSocket.request(
                port: subject.port, "GET /device/api/v1/live HTTP/1.1\r\nHost: localhost\r\n\r\n"))
    }
}

/// Reads server-sent events in their order.
private final class NewsReader: @unchecked Sendable {  // Used by one test, one step after another.
    let socket: LineSocket
    private var lines: AsyncStream<String>.AsyncIterator

    init(_ socket: LineSocket) {
        self.socket = socket
        lines = socket.lines.makeAsyncIterator()
    }

    /// The data of the next event of that name; nil where the answer is another or ends.
    func next(_ name: String) async -> String? {
        while let line = await lines.next() {
            if line.hasPrefix("HTTP/1.1"), !line.contains(" 200 ") { return nil }
            if line == "event: \(name)" { return await lines.next() }
        }
        return nil
    }
}

extension RenderedTree {
    /// Returns true if a label says it.
    func says(_ text: String) -> Bool {
        root.first { $0.properties["label"]?.string?.contains(text) == true } != nil
    }
}
