import ArgumentParser
import AstrolabePlatform
import AstrolabeTestSupport
import Foundation
import TelemetryConsole
import Testing

@testable import AstrolabeCommands

@Suite struct `The server that a console asks for its part of traces` {
    private let folder = TemporaryDirectory()
    private static let arguments = ["--recorder-server", "https://shop.example.com"]

    private func file(_ text: String) throws -> String {
        try PrivateFiles.makeDirectory(folder.path)
        let path = folder.path + "/key"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func `is asked with the key of the variable, or of a file, and no text shows it`() throws {
        let environment = [RecorderKeySource.variable: "key-of-the-variable"]
        let options = try RecorderOptions.parse(Self.arguments)
        let server = try #require(try options.configuration(environment: environment))
        #expect(server.key == "key-of-the-variable")
        #expect(server.address()?.absoluteString == "https://shop.example.com")
        #expect(!"\(server)".contains("key-of"))
        let path = try file("key-of-the-file-7719\n")
        let other = try RecorderOptions.parse(Self.arguments + ["--recorder-key-file", path])
        #expect(try other.configuration(environment: environment)?.key == "key-of-the-file-7719")
        #expect(try RecorderOptions.parse([]).configuration(environment: environment)?.key == nil)
    }

    @Test func `is refused without an address or a key that can be used`() throws {
        let options = try RecorderOptions.parse(Self.arguments)
        for (key, message) in [
            ("", "--recorder-server: expected the key of the server in ASTROLABE_RECORDER_KEY or --recorder-key-file"),
            (
                "short",
                "ASTROLABE_RECORDER_KEY: expected a key of at least 16 ASCII characters without spaces",
            ),
            (
                "a key of the recorder",
                "ASTROLABE_RECORDER_KEY: expected a key of at least 16 ASCII characters without spaces",
            ),
        ] {
            let error = #expect(throws: ValidationError.self) {
                try options.configuration(environment: [RecorderKeySource.variable: key])
            }
            #expect(error?.message == message)
        }
        let path = try file("short")
        let withFile = try RecorderOptions.parse(Self.arguments + ["--recorder-key-file", path])
        #expect(throws: ValidationError.self) { try withFile.configuration(environment: [:]) }
        let alone = try RecorderOptions.parse(["--recorder-key-file", path])
        #expect(throws: ValidationError.self) { try alone.configuration(environment: [:]) }
        #expect(throws: (any Error).self) { try RecorderOptions.parse(["--recorder-server", "shop.example.com"]) }
    }
}
