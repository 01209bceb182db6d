import ArgumentParser
import AstrolabePlatform
import AstrolabeTestSupport
import ConsoleModel
import Foundation
import Testing

@testable import AstrolabeCommands

@Suite struct `Settings of the console` {
    private let folder = TemporaryDirectory()

    private func file(_ text: String) throws -> String {
        try PrivateFiles.makeDirectory(folder.path)
        let path = folder.path + "/console.json"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func `come from the command line, then the environment, then the file, then the defaults`() throws {
        let file = try file(
            #"{"port": 1, "grpc-port": 2, "retention-days": 3, "retention-size": 0.5, "public-name": ["a.b", "c.d"]}"#)
        let settings = try ConsoleSettings(
            arguments: ["--port", "9", "--config", file, "--public-name=e.f"], file: file,
            environment: [
                "ASTROLABE_CONSOLE_PORT": "7", "ASTROLABE_CONSOLE_GRPC_PORT": "8",
                "ASTROLABE_CONSOLE_CONVERSION": "sold, order.placed", "CLICKHOUSE_PASSWORD": "hidden-1",
                "ASTROLABE_CONSOLE_CORS_ORIGIN": "https://a.example,http://b.example:3000",
                "ASTROLABE_CONSOLE_STORE": "clickhouse://ada:hidden-2@ch:8123/otel",
            ])
        let options = settings.options
        #expect(options.port == 9 && options.grpcPort == 8 && options.retentionDays == 3)
        #expect(options.retentionSize == 0.5 && options.publicNames == ["e.f"])
        #expect(options.conversions == ["sold", "order.placed"])
        #expect(options.corsOrigins == ["https://a.example", "http://b.example:3000"])
        let rows = settings.lines.map { $0.split(separator: /\s\s+/).map(String.init) }
        #expect(rows.contains(["port", "9", "command line"]))
        #expect(rows.contains(["grpc-port", "8", "ASTROLABE_CONSOLE_GRPC_PORT"]))
        #expect(rows.contains(["retention-days", "3", file]))
        #expect(rows.contains(["host", "127.0.0.1", "default"]))
        #expect(rows.contains(["store", "clickhouse://ada:***@ch:8123/otel", "ASTROLABE_CONSOLE_STORE"]))
        #expect(!settings.lines.contains { $0.contains("hidden") })
    }

    @Test func `name every option but the headers of the upstream, which have a variable of their own`() throws {
        let options = try ConsoleOptions.parse([])
        let shared = Mirror(reflecting: options).children.filter {
            !($0.value is OptionGroup<ForwardingOptions>) && !($0.value is OptionGroup<RecorderOptions>)
        }
        let forwarding = Mirror(reflecting: options.forwarding).children.filter { $0.label != "_headers" }
        let recorder = Mirror(reflecting: options.recorder).children
        #expect(shared.count + forwarding.count + recorder.count == ConsoleSetting.all.count)
    }

    @Test(arguments: [
        (#"{"retention-day": 3}"#, "unknown key \"retention-day\". Expected one of host,"),
        (#"{"port": "x"}"#, "key \"port\": expected a whole number"),
        (#"{"port": 1.5}"#, "key \"port\": expected a whole number, found \"1.5\""),
        (#"{"retention-days": 0}"#, "key \"retention-days\": --retention-days: expected 1 to 3650, found 0"),
        (#"{"public-name": "a.b"}"#, "key \"public-name\": expected a list of texts"),
        (#"{"cors-origin": ["a.b"]}"#, "key \"cors-origin\": --cors-origin: expected an origin as browsers send it"),
        ("[1]", "expected a JSON object of settings"),
    ])
    func `that cannot be read are named with what was expected`(text: String, message: String) throws {
        let file = try file(text)
        let failure = #expect(throws: ConsoleSettings.Failure.self) {
            try ConsoleSettings(arguments: [], file: file, environment: [:])
        }
        #expect(failure?.description.contains(message) == true, "\(String(describing: failure))")
        #expect(failure?.description.contains(file) == true)
    }

    @Test func `of the environment that cannot be read are named`() throws {
        let failure = #expect(throws: ConsoleSettings.Failure.self) {
            try ConsoleSettings(arguments: [], file: nil, environment: ["ASTROLABE_CONSOLE_PORT": "tcp://10.0.0.1:1"])
        }
        #expect(
            failure?.description == "ASTROLABE_CONSOLE_PORT: expected a whole number, found \"tcp://10.0.0.1:1\"")
    }

    @Test func `are printed by the command`() async throws {
        let file = try file(#"{"retention-days": 30}"#)
        let (status, output) = await CommandInProcess.run(["console", "--config", file, "--port=0", "--print-config"])
        #expect(status == 0)
        let rows = output.split(separator: "\n").map { $0.split(separator: /\s\s+/).map(String.init) }
        #expect(rows.contains(["retention-days", "30", file]) && rows.contains(["port", "0", "command line"]))
        let wrong = await CommandInProcess.run(["console", "--config", try self.file(#"{"prot": 1}"#)])
        #expect(wrong.status != 0 && wrong.output.contains("unknown key \"prot\""), "\(wrong.output)")
    }
}
