import AstrolabeTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct `The demo` {
    private static let once = ["demo", "--once", "--seed", "7", "--port", "0", "--database", "console.sqlite"]

    @Test func `fills the console with a history, and makes a trip while the console is unplugged`() async throws {
        let (status, output) = try await Executable.run(
            Self.once + ["--history", "20", "--unplugged"], program: "astrolabe-local")
        #expect(status == 0, "\(output)")
        #expect(output.contains("Sent 20 synthetic sessions of the last two days: "), "\(output)")
        #expect(output.contains("of 2 services: astronomy-shop, shop-server"), "\(output)")
        #expect(output.contains("including the declined card"))
        #expect(!output.contains("gRPC"), "\(output)")
        #expect(output.contains("The console is plugged in again."))
    }

    @Test(.enabled(if: Thoroughness.isThorough, "runs with ./astrolabe test --thorough"))
    func `makes a trip whose trace goes from the phone to the backend`() async throws {
        let (status, output) = try await Executable.run(Self.once + ["--grpc-port", "0"])
        #expect(status == 0, "\(output)")
        #expect(output.contains("(OTLP/gRPC)"), "\(output)")
        #expect(output.contains("of 2 services: astronomy-shop, shop-server"), "\(output)")
        #expect(!output.contains("plugged"))
    }

    @Test func `reports invalid arguments in one line`() async {
        let (failure, reason) = await CommandInProcess.run(["demo", "--history", "0"])
        #expect(failure != 0)
        #expect(reason.contains("--history: expected 1 to 1000000 sessions, found 0"))
        let (status, output) = await CommandInProcess.run(["demo", "--unplugged"])
        #expect(status != 0)
        #expect(output.contains("--unplugged requires --once"))
    }
}

@Suite(.timeLimit(.minutes(5))) struct `The shopper` {
    @Test func `fails with a reason if the shop cannot be reached`() async throws {
        // No server listens on the discard port. There is no console either, for whose answer it would wait.
        let (status, output) = try await Executable.run(
            ["shopper", "--shop", "http://127.0.0.1:9", "--trips", "1"], isRecording: false)
        #expect(status != 0)
        #expect(output.contains("astrolabe: "))
    }
}

@Suite struct `The symbol store` {
    @Test func `reports in one line that a file does not exist, and that it has no symbols`() async {
        let folder = TemporaryDirectory().path
        let (failure, reason) = await CommandInProcess.run(["symbols", "add", folder + "/missing", "--folder", folder])
        #expect(failure != 0)
        #expect(reason.contains("astrolabe: no such file"))
        let (status, list) = await CommandInProcess.run(["symbols", "list", "--folder", folder])
        #expect(status == 0)
        #expect(list.contains("No symbols in \(folder)."))
    }
}
