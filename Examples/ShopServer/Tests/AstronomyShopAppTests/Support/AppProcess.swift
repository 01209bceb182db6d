import AstrolabePlatform
import AstrolabeTestSupport
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// A run of the real executable.
final class AppProcess: Sendable {
    enum End: Hashable, Sendable {
        case exit(Int32)
        case signal(Int32)
    }

    private let process = Process()
    private let log: String
    private let ends: AsyncStream<End>

    /// - Parameter folder: What it writes to its output and error goes into a file there.
    init(environment: [String: String], folder: TemporaryDirectory) throws {
        log = folder.path + "/log-" + IDGenerator().nextUUID()
        guard FileManager.default.createFile(atPath: log, contents: nil) else { throw CocoaError(.fileWriteUnknown) }
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        process.executableURL = try BuiltProducts.executable(named: "astronomy-shop")
        var all = ProcessInfo.processInfo.environment.filter { entry in
            !["OTEL_", "ASTROLABE_", "ASTRONOMY_"].contains { entry.key.hasPrefix($0) }
        }
        all["XDG_STATE_HOME"] = folder.path
        all["SWIFT_BACKTRACE"] = "enable=no"
        process.environment = all.merging(environment) { _, new in new }
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path, isDirectory: true)
        process.standardOutput = handle
        process.standardError = handle
        process.standardInput = FileHandle.nullDevice
        let (ends, end) = AsyncStream.makeStream(of: End.self)
        self.ends = ends
        process.terminationHandler = { process in
            let status = process.terminationStatus
            end.yield(process.terminationReason == .exit ? .exit(status) : .signal(status))
            end.finish()
        }
        try process.run()
    }

    deinit {
        if process.isRunning { send(SIGKILL) }
    }

    var id: Int32 { process.processIdentifier }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// The end of the process, once it has ended.
    func end() async -> End? { await ends.first { _ in true } }

    var output: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    /// True if the system has stopped it, as the letter in `/proc` says.
    var isStopped: Bool {
        let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        return status?.split(separator: ")").last?.hasPrefix(" T") == true
    }
}
