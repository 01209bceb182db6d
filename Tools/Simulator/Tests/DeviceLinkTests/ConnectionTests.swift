import AstrolabeSeededRandomness
import AstrolabeTestSupport
import Foundation
import Testing

@testable import DeviceLink

@Suite(.timeLimit(.minutes(2))) struct `A link` {
    @Test func `carries messages both ways, in the order in which they were sent`() async throws {
        let pair = try await LinkPair()
        for number in 1...1_000 {
            #expect(pair.device.send(event(number)))
            #expect(pair.app.send(reply(number)))
        }
        #expect(await pair.app.messages.events(upTo: 1_000) == Array(1...1_000))
        #expect(await pair.device.messages.replies(upTo: 1_000) == Array(1...1_000))
    }

    @Test func `writes what is queued before it closes, and ends the other side's messages after it`() async throws {
        let pair = try await LinkPair()
        for number in 1...500 { pair.device.send(event(number)) }
        pair.device.close()
        #expect(await pair.app.messages.events() == Array(1...500))
        #expect(!pair.device.send(event(501)))
        #expect(pair.device.droppedCount == 1)
    }

    @Test func `still gives what was said before the other side went`() async throws {
        let pair = try await LinkPair()
        for number in 1...500 { pair.app.send(reply(number)) }
        await pair.app.finish()
        // The pipe is broken: this must be no signal that ends the process.
        for number in 1...100 { pair.device.send(event(number)) }
        #expect(await pair.device.messages.replies() == Array(1...500))
    }

    @Test func `is closed with its last reference`() async throws {
        let folder = try madeFolder()
        let listener = try LinkListener(path: folder.path + "/link")
        var app: AppLink? = try AppLink.connect(path: folder.path + "/link")
        let device = try await listener.accepted()
        app?.send(reply(1))
        app = nil
        #expect(await device.messages.replies() == [1])
    }

    @Test func `does not wait for a reader who takes nothing, and drops what its queue has no room for`() async throws {
        let pair = try await LinkPair()
        var accepted = 0
        var refused = 0
        // Sockets hold a few hundred kilobytes, the reader one megabyte, and the queue another.
        while refused < 100 {
            if pair.device.send(event(accepted + 1)) { accepted += 1 } else { refused += 1 }
            #expect(pair.device.queuedBytes <= DeviceMessage.queueLimit)
        }
        #expect(pair.device.droppedCount == 100)
        #expect(await pair.app.messages.events(upTo: accepted) == Array(1...accepted))
        await pair.device.waitUntilQueued(below: 1)
        #expect(pair.device.send(event(accepted + 1)))
        #expect(await pair.app.messages.events(upTo: accepted + 1) == [accepted + 1])
    }

    @Test func `gives a reader who takes nothing a second, and then ends`() async throws {
        let pair = try await RoughPair()
        while pair.device.send(event(1)) {}
        let start = ContinuousClock.now
        await pair.device.finish()
        // That it ends at all is the rest: the reader takes nothing until then.
        #expect(ContinuousClock.now - start >= .milliseconds(900))
        while pair.rough.receive() != nil {}
    }

    @Test func `does not send what is longer than a line may be`() async throws {
        let pair = try await LinkPair()
        let longest = String(
            repeating: "x", count: DeviceMessage.lineLimit - #"{"type":"resource","body":""}"#.utf8.count)
        #expect(!pair.device.send(.resource(longest + "x")))
        #expect(pair.device.send(.resource(longest)))
        for await message in pair.app.messages {
            #expect(message == .resource(longest))
            break
        }
    }

    @Test func `takes a screen of many megabytes`() async throws {
        let pair = try await LinkPair()
        let data = Data((0..<(8 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        #expect(pair.app.send(.resource(ResourceReply(name: "large", type: "image/png", data: data))))
        for await message in pair.device.messages {
            guard case .resource(let reply) = message else { continue }
            #expect(reply.data == data)
            break
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct `What is no message` {
    @Test(arguments: [
        "hello", "{}", "[]", #"{"type":"screen"}"#, #"{"type":"nonsense","body":1}"#, #"{"body":{}}"#, "\u{0}\u{1}",
        #"{"type":"outcome","body":{"number":"1","outcome":"handled"}}"#,
        #"{"type":"outcome","body":{"number":1e400,"outcome":"handled"}}"#,
        #"{"type":"patch","body":{"base":1}}"#, String(repeating: "[", count: 60_000),
        String(repeating: #"{"type":"#, count: 9_000),
    ])
    func `is skipped and counted, and the rest is understood`(line: String) async throws {
        let pair = try await RoughPair()
        pair.say(line + "\n\n\r\n" + #"{"type":"outcome","body":{"number":5,"outcome":"gone","more":true}}"# + "\n")
        #expect(await pair.device.messages.replies(upTo: 5) == [5])
        #expect(pair.device.malformedCount == 2, "the line, and the carriage return; an empty line is none")
    }

    @Test func `closes the link where there is too much of it`() async throws {
        let pair = try await RoughPair()
        for _ in 1...DeviceLinkEnd.malformedLimit { pair.say("nonsense\n") }
        pair.say(#"{"type":"outcome","body":{"number":1,"outcome":"gone"}}"# + "\n")
        #expect(await pair.device.messages.replies(upTo: 1) == [1])
        pair.say("nonsense\n")
        #expect(await pair.device.messages.replies() == [])
        #expect(pair.device.malformedCount == DeviceLinkEnd.malformedLimit + 1)
        #expect(pair.rough.receive() == nil)
    }

    @Test func `closes the link where a line does not end`() async throws {
        let pair = try await LinkPair()
        let rough = try LinkSocket.connected(to: pair.path)
        let device = try await pair.listener.accepted()
        let chunk = Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
        var sent = 0
        while sent <= AppMessage.lineLimit, rough.send(chunk, isTooLate: { false }) { sent += chunk.count }
        #expect(await device.messages.replies() == [])
        #expect(device.malformedCount == 0)
    }

    @Test func `does no harm, whatever bytes they are`() async throws {
        var generator = SeededGenerator(seed: 26)
        let words = [
            #"{"type":"#, #""screen","body":"#, #""patch","#, #""outcome""#, "{", "}", "[", "]", ",", "\n", "1e9", "-",
            "null", "\u{FFFD}", #""\ud800""#, #""properties":"#, #""children":"#, #""id":"#,
        ]
        for _ in 0..<Thoroughness.count(15, thorough: 500) {
            let pair = try await RoughPair()
            var bytes = Data()
            while bytes.count < 20_000 {
                if Bool.random(using: &generator) {
                    bytes.append(contentsOf: (words.randomElement(using: &generator) ?? "").utf8)
                } else {
                    let count = Int.random(in: 1...64, using: &generator)
                    for _ in 0..<count { bytes.append(.random(in: 0...255, using: &generator)) }
                }
            }
            _ = pair.rough.send(bytes, isTooLate: { false })
            pair.rough.shutDown()
            #expect(await pair.device.messages.replies() == [])
            #expect(pair.device.malformedCount > 0)
        }
    }
}

@Suite struct `Cutting bytes into lines` {
    @Test func `gives the same lines, however the bytes come`() throws {
        let bytes = Data("one\n\ntwo\nthree\nfo".utf8)
        for size in 1...bytes.count {
            var splitter = LineSplitter(limit: 5)
            var lines: [String] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                let chunk = bytes[start..<min(start + size, bytes.count)]
                let whole = splitter.lines(adding: chunk)
                lines += try #require(whole).map { String(decoding: $0, as: UTF8.self) }
            }
            #expect(lines == ["one", "two", "three"])
        }
    }

    @Test func `takes a line of the limit, and none that is longer`() {
        var splitter = LineSplitter(limit: 5)
        func lines(_ text: String) -> [Data]? { splitter.lines(adding: Data(text.utf8)) }
        #expect(lines("12345") == [])
        #expect(lines("\n") == [Data("12345".utf8)])
        #expect(lines("123") == [])
        #expect(lines("456\n") == nil)
    }
}
