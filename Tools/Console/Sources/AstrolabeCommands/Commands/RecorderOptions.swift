import ArgumentParser
import Foundation
import TelemetryConsole

/// The options that name the server which the console asks for its part of promoted traces.
struct RecorderOptions: ParsableArguments {
    @Option(
        name: .customLong("recorder-server"),
        help: """
            A server with a flight recorder, such as https://shop.example.com, which is asked for its part of traces \
            that a device sent because something went wrong. Its key is read from ASTROLABE_RECORDER_KEY or \
            --recorder-key-file.
            """)
    var server: String?

    @Option(name: .customLong("recorder-key-file"), help: "A file with the key of that server.")
    var keyFile: String?

    func validate() throws {
        if let server {
            try ConsoleAddress.check(server, option: "--recorder-server", example: "https://shop.example.com")
        }
    }

    /// - Parameter environment: The environment of the process.
    func configuration(
        environment: [String: String] = CommandShell.current.environment()
    ) throws -> RecorderServer? {
        guard let server, let url = URL(string: server) else {
            // Each may come from another source.
            guard keyFile == nil else { throw ValidationError("--recorder-key-file needs --recorder-server") }
            return nil
        }
        guard let key = try RecorderKeySource.key(file: keyFile, environment: environment) else {
            throw ValidationError(
                "--recorder-server: expected the key of the server in \(RecorderKeySource.variable) or "
                    + "--recorder-key-file")
        }
        return RecorderServer(address: { url }, key: key)
    }
}

/// The key with which a console asks a server for its part of promoted traces, from where other users of the machine
/// cannot see it.
enum RecorderKeySource {
    static let variable = "ASTROLABE_RECORDER_KEY"
    private static let minimumBytes = 16

    /// Returns the key; `nil` if there is none.
    ///
    /// - Throws: `ValidationError`, which never has the key, if it cannot be read or is too short.
    static func key(
        file: String? = nil, environment: [String: String] = CommandShell.current.environment(),
    ) throws -> String? {
        var text = environment[variable] ?? ""
        if let file {
            guard let content = try? String(contentsOfFile: file, encoding: .utf8) else {
                throw ValidationError("--recorder-key-file: cannot read \(file)")
            }
            text = content
        }
        let key = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !key.isEmpty || file != nil else { return nil }
        guard key.utf8.count >= minimumBytes, key.allSatisfy({ $0.isASCII && !$0.isWhitespace }) else {
            throw ValidationError(
                "\(file == nil ? variable : "--recorder-key-file"): expected a key of at least \(minimumBytes) ASCII "
                    + "characters without spaces")
        }
        return key
    }
}
