import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// A program that listens on a port of this machine and is measured from outside. It ends with its last reference.
final class MeasuredProgram {
    let port: UInt16
    private let process = Process()
    private let output = Pipe()

    /// Starts the program and waits until it prints its address.
    ///
    /// - Parameter environment: Variables beside those of this process.
    init(_ executable: URL, _ arguments: [String], environment: [String: String] = [:]) throws {
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        try process.run()
        var said = ""
        while !said.hasSuffix("\n") {
            let part = output.fileHandleForReading.availableData
            if part.isEmpty { break }
            said += String(decoding: part, as: UTF8.self)
        }
        guard let port = said.firstMatch(of: /127\.0\.0\.1:([0-9]+)/).flatMap({ UInt16($0.output.1) }) else {
            process.terminate()
            throw BenchmarkFailure("expected an address from \(executable.lastPathComponent); found \(said)")
        }
        self.port = port
    }

    /// Starts a console whose store is in a folder.
    static func console(in folder: BenchmarkFolder, _ options: [String] = []) throws -> MeasuredProgram {
        let arguments = ["console", "--port", "0", "--grpc-port", "0", "--database", folder.path("console.sqlite")]
        return try MeasuredProgram(try astrolabe, arguments + options)
    }

    /// Runs a command of `astrolabe` until it ends.
    static func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = try astrolabe
        process.arguments = arguments
        // Standard output contains only the table.
        process.standardOutput = FileHandle.standardError
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkFailure("astrolabe \(arguments[0]) ended with status \(process.terminationStatus)")
        }
    }

    /// The release build of the console, which `ASTROLABE_EXECUTABLE` names.
    static var astrolabe: URL {
        get throws {
            guard let path = ProcessInfo.processInfo.environment["ASTROLABE_EXECUTABLE"] else {
                throw BenchmarkFailure(
                    "ASTROLABE_EXECUTABLE does not name a release build of astrolabe; ./astrolabe bench does that")
            }
            return URL(fileURLWithPath: path)
        }
    }

    deinit { end(SIGKILL) }

    /// The address of an HTTP server.
    var address: String { "http://127.0.0.1:\(port)" }

    var id: Int32 { process.processIdentifier }

    /// Sends the signal and waits until the process has ended.
    func end(_ signal: Int32 = SIGTERM) {
        if process.isRunning { kill(process.processIdentifier, signal) }
        process.waitUntilExit()
    }
}
