import Foundation

/// A chromedriver process on a free port.
///
/// A shell starts chromedriver and waits until its own input ends: when ``stop()`` is called, or when the process of
/// the tests ends, in whatever way. Then it kills chromedriver and the browser, and removes their files.
final class DriverProcess: Sendable {
    private let process: Process
    private let input: Pipe
    private let output: Pipe
    private let lines: AsyncStream<String>

    private static let supervision = """
        TMPDIR=$(mktemp -d) && export TMPDIR || exit 1
        "$0" --port=0 &
        driver=$!
        exec >/dev/null
        while read -r line; do browser=$line; done
        kill -KILL $driver $browser
        sleep 1
        rm -rf "$TMPDIR"
        """

    /// Starts chromedriver, with up to five attempts.
    ///
    /// Chromedriver selects a free port for IPv6 and then needs the same port for IPv4, which may be in use.
    static func start(_ path: String) async throws -> (driver: DriverProcess, port: Int) {
        var report = ""
        for _ in 0..<5 {
            let driver = try DriverProcess(path)
            do {
                return (driver, try await driver.port())
            } catch {
                driver.stop()
                report = String(describing: error)
            }
        }
        throw WebDriver.Failure(description: report)
    }

    private init(_ path: String) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", Self.supervision, path]
        (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty {
                handle.readabilityHandler = nil
                return continuation.finish()
            }
            continuation.yield(String(decoding: data, as: UTF8.self))
        }
        try process.run()
    }

    private func port() async throws -> Int {
        var text = ""
        for await part in lines {
            text += part
            if let range = text.range(of: "successfully on port ") {
                let digits = text[range.upperBound...].prefix { $0.isNumber }
                if let port = Int(digits), text[range.upperBound...].count > digits.count { return port }
            }
        }
        throw WebDriver.Failure(description: "chromedriver did not start: \(text)")
    }

    /// Has the shell kill this browser, too. A browser survives the end of its chromedriver.
    func superviseBrowser(_ processID: Int32) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(processID)\n".utf8))
    }

    /// Ends chromedriver and the browser. Does not wait for their end.
    func stop() {
        try? input.fileHandleForWriting.close()
        // Foundation needs the object for as long as the process runs.
        let process = process
        Thread.detachNewThread { process.waitUntilExit() }
    }
}
