import ArgumentParser
import AstrolabeTestSupport
import ConsoleModel
import TelemetryConsole
import Testing

@testable import AstrolabeCommands

@Suite struct `Options of the console` {
    private static func options(_ arguments: String...) throws -> ConsoleOptions {
        try ConsoleOptions.parse(["--database", TemporaryDirectory().path + "/c.sqlite"] + arguments)
    }

    @Test func `set how long and how much is kept`() throws {
        let options = try Self.options("--retention-days", "2", "--retention-size", "0.5")
        let configuration = try options.configuration(port: 0, grpcPort: 0)
        #expect(configuration.store.retention.age == .seconds(2 * 86_400))
        #expect(configuration.store.retention.bytes == 1 << 29)
        #expect(try Self.options().configuration(port: 0, grpcPort: 0).store.retention.bytes == 1 << 30)
    }

    @Test func `set how long a console that stops listens and waits`() throws {
        let configuration = try Self.options("--drain-seconds", "7", "--shutdown-seconds", "8")
            .configuration(port: 0, grpcPort: 0)
        #expect(configuration.drainTime == .seconds(7))
        #expect(configuration.shutdownTime == .seconds(8))
    }

    @Test func `name what makes a session converted, which is not the shop's order unless it is asked for`() throws {
        let usual = try Self.options().configuration(port: 0, grpcPort: nil).store.milestones
        #expect(!(usual.conversions + usual.checkouts + usual.amounts).contains { $0.hasPrefix("demo.") })
        let own = try Self.options("--conversion", "sold", "--checkout", "Till", "--conversion-amount", "price")
            .configuration(port: 0, grpcPort: nil).store.milestones
        #expect(own.conversions == ["sold"] && own.checkouts == ["Till"] && own.amounts == ["price"])
    }

    @Test func `permit the pages of origins`() throws {
        let options = try Self.options("--cors-origin", "https://Shop.example.com", "--cors-origin=null")
        let configuration = try options.configuration(port: 0, grpcPort: 0)
        #expect(configuration.corsOrigins == ["https://shop.example.com", "null"])
        #expect(try Self.options().configuration(port: 0, grpcPort: 0).corsOrigins.isEmpty)
    }

    @Test(arguments: [
        ("https://a.example", true), ("http://localhost:3000", true), ("capacitor://localhost", true),
        ("http://[::1]:8080", true), ("null", true), ("file://", true), ("https://a.example:443", false),
        ("http://a.example:80", false), ("https://a.example/", false), ("a.example", false), ("*", false),
        ("https://*.example", false), ("https://ada@a.example", false), ("", false),
    ])
    func `take an origin only as browsers send it`(text: String, isOrigin: Bool) {
        #expect(CrossOriginPages.isOrigin(text) == isOrigin)
    }

    @Test(arguments: [
        ("--retention-days", "0", "--retention-days: expected 1 to 3650, found 0"),
        ("--retention-size", "-1", "--retention-size: expected 0.01 to 10000 GiB, found -1.0"),
        ("--retention-size", "nan", "--retention-size: expected 0.01 to 10000 GiB, found nan"),
        ("--port", "70000", "--port: expected 0 to 65535, found 70000"),
        ("--drain-seconds", "-1", "--drain-seconds: expected 0 to 3600, found -1"),
        ("--grpc-port", "-1", "--grpc-port: expected 0 to 65535, found -1"),
        ("--conversion-amount", "a'b", "--conversion-amount: expected a key without quotes, found a'b"),
        (
            "--cors-origin", "https://a.example/",
            """
            --cors-origin: expected an origin as browsers send it, such as https://shop.example.com or \
            http://localhost:3000, found https://a.example/
            """,
        ),
    ])
    func `say what was expected`(option: String, value: String, message: String) throws {
        let error = #expect(throws: (any Error).self) { try Self.options("\(option)=\(value)") }
        #expect(ConsoleOptions.message(for: try #require(error)) == message)
    }
}
