import ArgumentParser
import AstrolabeDelivery
import Foundation
import TelemetryConsole

/// The options that name where the console sends what it receives.
struct ForwardingOptions: ParsableArguments {
    /// The environment variable with headers, each on a line.
    static let variable = "ASTROLABE_FORWARD_HEADERS"

    @Option(help: "An OTLP/HTTP endpoint that also gets each accepted request, such as https://otel.example.com.")
    var forward: String?

    @Option(
        name: .customLong("forward-header"),
        help: """
            A header of forwarded requests as NAME=VALUE; may be repeated. Other users of the machine can see it, \
            unlike ASTROLABE_FORWARD_HEADERS and --forward-headers-file, which have one on each line.
            """)
    var headers: [String] = []

    @Option(name: .customLong("forward-headers-file"), help: "A file of such headers, one on each line.")
    var headersFile: String?

    @Option(name: .customLong("forward-queue-size"), help: "The MiB that may wait for the endpoint.")
    var queueSize = 256

    func validate() throws {
        if let forward { try ConsoleAddress.check(forward, option: "--forward", example: "https://otel.example.com") }
        guard (64...1_048_576).contains(queueSize) else {
            throw ValidationError("--forward-queue-size: expected 64 to 1048576 MiB, found \(queueSize)")
        }
        for header in headers { _ = try Self.header(header, from: "--forward-header") }
    }

    /// - Parameters:
    ///   - folder: The folder of the console's files.
    ///   - environment: The environment of the process.
    func configuration(
        folder: URL, environment: [String: String] = ProcessInfo.processInfo.environment,
    ) throws -> ForwardingConfiguration? {
        guard let forward, let url = URL(string: forward) else {
            // Each may come from another source.
            guard headers.isEmpty, headersFile == nil else {
                throw ValidationError("--forward-header and --forward-headers-file need --forward")
            }
            return nil
        }
        var lines = (environment[Self.variable] ?? "").split(whereSeparator: \.isNewline).map { ($0, Self.variable) }
        if let headersFile {
            guard let text = try? String(contentsOfFile: headersFile, encoding: .utf8) else {
                throw ValidationError("--forward-headers-file: cannot read \(headersFile)")
            }
            lines += text.split(whereSeparator: \.isNewline).map { ($0, "--forward-headers-file") }
        }
        lines += headers.map { ($0[...], "--forward-header") }
        var endpoint = OTLPEndpoint(url: url)
        for (line, source) in lines where !line.allSatisfy(\.isWhitespace) {
            let (name, value) = try Self.header(String(line), from: source)
            endpoint.setHeader(name, to: value)
        }
        var configuration = ForwardingConfiguration(
            endpoint: endpoint, queuePath: folder.appendingPathComponent("forward/queue.db").path)
        configuration.queueBytes = queueSize << 20
        return configuration
    }

    /// The message of an error never has the value, which may be a key.
    private static func header(_ text: String, from source: String) throws -> (name: String, value: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].trimmingCharacters(in: .whitespaces)
        guard parts.count == 2, !name.isEmpty, !name.contains(where: { " :\t".contains($0) }),
            !parts[1].contains(where: \.isNewline)
        else { throw ValidationError("\(source): expected NAME=VALUE, found a header of another form") }
        return (name, parts[1].trimmingCharacters(in: .whitespaces))
    }
}
