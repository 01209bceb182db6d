import AstrolabePlatform
import AstrolabeSeededRandomness
import AstrolabeSemantics
import AstrolabeTestSupport
import ConsoleModel
import Foundation
import TelemetryConsole
import Testing

@testable import AstrolabeCommands

@Suite struct `A file of OTLP` {
    private static let lines = [
        #"{"resourceSpans": []}"#, "", #"  {  "resourceLogs":[]}"#, #"{"resource_metrics":[]}"#, "{}", "resourceLogs",
        #"{"resourceProfiles":[]}"#, #"{"resourceSpans": [}"#,
    ]

    private static func read(_ bytes: [UInt8], signal: Signal? = nil, limit: Int = 1_000, by size: Int)
        -> [OTLPFileReader.Element]
    {
        var reader = OTLPFileReader(signal: signal, limit: limit)
        var elements: [OTLPFileReader.Element] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            elements += reader.receive(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        return elements + reader.end()
    }

    private static func request(_ element: OTLPFileReader.Element) -> String {
        switch element {
        case .success(let request): "\(request.number) \(request.signal)"
        case .failure(let error): "\(error.number) \(error.message.prefix(8))"
        }
    }

    @Test(arguments: ["", "\n"], ["\n", "\r\n"])
    func `has a request in each line that is not empty`(end: String, newline: String) {
        let elements = Self.read(Array((Self.lines.joined(separator: newline) + end).utf8), by: 7)
        #expect(
            elements.map(Self.request) == [
                "1 traces", "3 logs", "4 metrics", "5 expected", "6 expected", "7 expected", "8 traces",
            ])
    }

    @Test func `has lines of a limited length`() {
        let long = #"{"resourceLogs": ""# + String(repeating: "a", count: 2_000) + "\"}"
        let elements = Self.read(Array("\(long)\n{\"resourceLogs\":[]}\n\(long)".utf8), by: 100)
        #expect(elements.map(Self.request) == ["1 expected", "2 logs", "3 expected"])
        guard case .failure(let error)? = elements.first else { return }
        #expect(error.message.contains("expected a request of at most 1000 bytes, found"))
    }

    @Test func `has protobuf messages after their lengths`() {
        let bytes: [UInt8] = [0, 0, 0, 2, 7, 8, 0, 0, 0, 0, 0, 0, 0, 1, 9]
        #expect(Self.read(bytes, signal: .logs, by: 4).map(Self.request) == ["1 logs", "3 logs"])
        let cut = Self.read(Array(bytes.dropLast()), signal: .logs, by: 4)
        #expect(
            cut.last
                == .failure(
                    OTLPFileError(
                        number: 3, message: "the file ends inside the message; expected 1 bytes, found 0")))
        let wrong = Self.read([0, 0, 4, 0] + bytes, signal: .logs, by: 4)
        #expect(wrong.map(Self.request) == ["1 expected"])
    }

    /// The reader is a state machine over pieces: whatever they are, it finds the same and never more than the limit.
    @Test(arguments: [Signal?.none, .traces])
    func `is read alike in pieces of any size, whatever is in it`(signal: Signal?) {
        var random = SeededGenerator(seed: 69)
        let words: [[UInt8]] = [
            Array("{\"resourceSpans\":".utf8), Array("\n".utf8), Array("\r".utf8), [0, 0, 0], [4], [0xFF],
            Array("}".utf8),
            [UInt8](repeating: 0x20, count: 30),
        ]
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).flatMap { _ in
                words.randomElement(using: &random) ?? []
            }
            let whole = Self.read(bytes, signal: signal, limit: 64, by: max(bytes.count, 1))
            for element in whole {
                if case .success(let request) = element { #expect(request.body.count <= 64) }
            }
            let size = Int.random(in: 1..<9, using: &random)
            let parts = Self.read(bytes, signal: signal, limit: 64, by: size)
            #expect(parts.map(Self.request) == whole.map(Self.request), "\(bytes) by \(size)")
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `The import` {
    private static let log =
        #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"7","eventName":"e"}]}]}]}"#
    /// An event, and a replay frame without its contents.
    private static let partial =
        #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"9","eventName":"e"},"#
        + #"{"eventName":"\#(EventName.replay)"}]}]}]}"#

    private static func run(
        _ contents: [UInt8], _ options: [String] = [],
    ) async throws -> (status: Int32, output: String, received: Int) {
        let folder = TemporaryDirectory()
        let plug = try await ConsoleSwitch.listening(on: folder.path + "/console.sqlite")
        let file = folder.path + "/telemetry"
        try Data(contents).write(to: URL(fileURLWithPath: file))
        let (status, output) = await CommandInProcess.run(["import", file, "--console", await plug.address] + options)
        let received = try await plug.store?.statistics().received ?? 0
        try await plug.unplug()
        return (status, output.replacing(file, with: "FILE"), received)
    }

    @Test func `stores the requests of a file`() async throws {
        let second = Self.log.replacing("7", with: "8")
        let (status, output, received) = try await Self.run(Array("\(Self.log)\n\(second)\n\(Self.log)\n".utf8))
        #expect(status == 0)
        #expect(output == "FILE: imported 3 requests; 0 lines and 0 records were rejected\n")
        #expect(received == 2, "the third is the first once more")
    }

    @Test func `names each line that is rejected, and stores the others`() async throws {
        let lines = [Self.log, "no", #"{"resourceLogs": 7}"#, Self.partial, Self.log.replacing("7", with: "8")]
        let (status, output, received) = try await Self.run(Array(lines.joined(separator: "\n").utf8))
        #expect(status == 1)
        #expect(output.contains("FILE:2: expected an object that starts with \"resourceSpans\""), "\(output)")
        #expect(output.contains("FILE:3: "), "\(output)")
        #expect(output.contains("FILE:4: 1 records were rejected: "), "\(output)")
        #expect(output.contains("FILE: imported 3 requests; 2 lines and 1 records were rejected"), "\(output)")
        #expect(received == 3)
    }

    @Test func `stores protobuf messages, and names the one that is rejected`() async throws {
        // A log record with the event name "e".
        let record: [UInt8] = [0x0A, 7, 0x12, 5, 0x12, 3, 0x62, 1, 0x65]
        let bytes = [0, 0, 0, UInt8(record.count)] + record + [0, 0, 0, 1, 0x0A]
        let (status, output, received) = try await Self.run(bytes, ["--signal", "logs"])
        #expect(status == 1)
        #expect(output.contains("FILE:2: "), "\(output)")
        #expect(output.contains("imported 1 requests; 1 messages and 0 records were rejected"), "\(output)")
        #expect(received == 1)
    }

    @Test func `says that no console answers`() async throws {
        let folder = TemporaryDirectory()
        try PrivateFiles.makeDirectory(folder.path)
        let file = folder.path + "/telemetry"
        try Data(Self.log.utf8).write(to: URL(fileURLWithPath: file))
        // No server listens on the discard port.
        let (status, output) = await CommandInProcess.run(["import", file, "--console", "http://127.0.0.1:9"])
        #expect(status == 1)
        #expect(output.contains("\(file): stopped; imported 0 requests"), "\(output)")
        #expect(output.contains("no console answers at http://127.0.0.1:9"), "\(output)")
    }
}
