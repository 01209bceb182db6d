import AstrolabeTestSupport
import Foundation

/// The shop's backend as the process that `astrolabe shop-server` is, observed by the SDK; it ends with this process.
final class ShopProcess: Sendable {
    let port: Int
    private let process: Process
    private let input: Pipe

    struct NotReady: Error {
        let output: String
    }

    /// The discard port, where no server listens.
    static let unusedPort = 9

    /// The backend of all tests that do not look at its telemetry, which gets lost. It runs until this process ends.
    static var shared: ShopProcess {
        get async throws { try await starting.value }
    }

    private static let starting = Task { try await start(collector: "http://127.0.0.1:\(unusedPort)") }

    /// - Parameter collector: Where its telemetry goes.
    static func start(collector: String) async throws -> ShopProcess {
        let process = Process()
        process.executableURL = try BuiltProducts.executable(named: "astrolabe")
        process.arguments = ["shop-server", "--port", "0", "--supervised"]
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("OTEL_") }
        environment["OTEL_EXPORTER_OTLP_ENDPOINT"] = collector
        // The SDK keeps what it could not send; each run begins without what others left.
        environment["XDG_STATE_HOME"] = TestFolders.path("shop")
        process.environment = environment
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            line.yield(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self))
            line.finish()
        }
        let ready = await lines.first { _ in true } ?? ""
        guard let digits = ready.firstMatch(of: /"port":([0-9]+)/)?.1, let port = Int(digits) else {
            process.terminate()
            throw NotReady(output: ready)
        }
        return ShopProcess(process, input, port: port)
    }

    private init(_ process: Process, _ input: Pipe, port: Int) {
        self.process = process
        self.input = input
        self.port = port
    }

    /// It says what it still has to say, and ends.
    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Ends it at once.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
