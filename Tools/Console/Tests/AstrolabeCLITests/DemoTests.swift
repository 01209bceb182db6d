import Testing

@Suite(.timeLimit(.minutes(3))) struct `The demo` {
    @Test(arguments: [[], ["--unplugged"]])
    func `makes a trip whose trace goes from the phone to the backend`(options: [String]) async throws {
        let arguments =
            ["demo", "--once", "--seed", "7", "--port", "0", "--grpc-port", "0", "--database", "console.sqlite"]
            + options
        let (status, output) = try await Executable.run(arguments)
        #expect(status == 0, "\(output)")
        #expect(output.contains("of 2 services: astronomy-shop, shop-server"), "\(output)")
        #expect(output.contains("including the declined card"))
        #expect(output.contains("(OTLP/gRPC)"), "\(output)")
        #expect(output.contains("The console is plugged in again.") == options.contains("--unplugged"))
    }

    @Test func `fills the console with a history before it starts`() async throws {
        let arguments = [
            "demo", "--once", "--history", "20", "--port", "0", "--grpc-port", "0", "--database", "console.sqlite",
        ]
        let (status, output) = try await Executable.run(arguments)
        #expect(status == 0, "\(output)")
        #expect(output.contains("Sent 20 synthetic sessions of the last two days: "), "\(output)")
    }

    @Test func `reports invalid arguments in one line`() async throws {
        let (failure, reason) = try await Executable.run(["demo", "--history", "0"])
        #expect(failure != 0)
        #expect(reason.contains("--history: expected 1 to 1000000 sessions, found 0"))
        let (status, output) = try await Executable.run(["demo", "--unplugged"])
        #expect(status != 0)
        #expect(output.contains("--unplugged requires --once"))
    }
}

@Suite(.timeLimit(.minutes(3))) struct `The shopper` {
    @Test func `fails with a reason if the shop cannot be reached`() async throws {
        // No server listens on the discard port.
        let (status, output) = try await Executable.run(["shopper", "--shop", "http://127.0.0.1:9", "--trips", "1"])
        #expect(status != 0)
        #expect(output.contains("astrolabe: "))
    }
}

@Suite(.timeLimit(.minutes(3))) struct `The symbol store` {
    @Test func `reports in one line that a file does not exist, and that it has no symbols`() async throws {
        let (failure, reason) = try await Executable.run(["symbols", "add", "missing"])
        #expect(failure != 0)
        #expect(reason.contains("astrolabe: no such file"))
        let (status, list) = try await Executable.run(["symbols", "list"])
        #expect(status == 0)
        #expect(list.contains("No symbols in .astrolabe/symbols."))
    }
}
