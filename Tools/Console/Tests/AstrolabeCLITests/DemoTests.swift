import Testing

@Suite(.timeLimit(.minutes(3))) struct `The demo` {
    @Test(arguments: [[], ["--unplugged"]])
    func `makes a trip whose trace goes from the phone to the backend`(options: [String]) async throws {
        let arguments = ["demo", "--once", "--seed", "7", "--port", "0", "--database", "console.sqlite"] + options
        let (status, output) = try await Executable.run(arguments)
        #expect(status == 0, "\(output)")
        #expect(output.contains("of 2 services: astronomy-shop, shop-server"), "\(output)")
        #expect(output.contains("the refused card's included"))
        #expect(output.contains("The console is plugged in again.") == options.contains("--unplugged"))
    }

    @Test func `says in one line what is wrong with its arguments`() async throws {
        let (status, output) = try await Executable.run(["demo", "--unplugged"])
        #expect(status != 0)
        #expect(output.contains("--unplugged: expected --once with it"))
    }
}

@Suite(.timeLimit(.minutes(3))) struct `The shopper` {
    @Test func `fails where there is no shop, and says why`() async throws {
        // Nobody listens at the discard port.
        let (status, output) = try await Executable.run(["shopper", "--shop", "http://127.0.0.1:9", "--trips", "1"])
        #expect(status != 0)
        #expect(output.contains("astrolabe: "))
    }
}

@Suite(.timeLimit(.minutes(3))) struct `The store of symbols` {
    @Test func `says in one line why a file is no use, and what there is`() async throws {
        let (refused, reason) = try await Executable.run(["symbols", "add", "missing"])
        #expect(refused != 0)
        #expect(reason.contains("astrolabe: there is no file"))
        let (status, list) = try await Executable.run(["symbols", "list"])
        #expect(status == 0)
        #expect(list.contains("keeps no debug information"))
    }
}
