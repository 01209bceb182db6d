import Foundation

/// A setting of the console: an option, an environment variable and a key of the configuration file, of one name.
struct ConsoleSetting: Sendable {
    enum Kind: String {
        case text = "a text"
        case integer = "a whole number"
        case number = "a number"
        case list = "a list of texts"
    }

    let name: String
    let kind: Kind
    /// The values in force; none if the setting has no value.
    let values: @Sendable (ConsoleOptions) -> [String]

    init(_ name: String, _ kind: Kind, values: @escaping @Sendable (ConsoleOptions) -> [String]) {
        self.name = name
        self.kind = kind
        self.values = values
    }

    static let variablePrefix = "ASTROLABE_CONSOLE_"

    var option: String { "--" + name }
    var variable: String { Self.variablePrefix + name.uppercased().replacing("-", with: "_") }

    /// The values as they may be shown: without a password in an address.
    func shownValues(_ options: ConsoleOptions) -> String {
        let values = values(options).map { $0.replacing(/:\/\/([^:@\/]*):.*@/) { "://\($0.1):***@" } }
        return values.isEmpty ? "none" : values.joined(separator: ", ")
    }

    static let all: [ConsoleSetting] = [
        Self("host", .text) { [$0.host] },
        Self("port", .integer) { ["\($0.port ?? ConsoleOptions.defaultPort)"] },
        Self("grpc-port", .integer) { ["\($0.grpcPort ?? ConsoleOptions.defaultGRPCPort)"] },
        Self("database", .text) { [$0.database] },
        Self("store", .text) { $0.store.map { [$0] } ?? [] },
        Self("boards", .text) { [$0.boards ?? $0.folder.appendingPathComponent("boards").path] },
        Self("public-name", .list) { $0.publicNames },
        Self("cors-origin", .list) { $0.corsOrigins },
        Self("tls-certificate", .text) { $0.tlsCertificate.map { [$0] } ?? [] },
        Self("tls-key", .text) { $0.tlsKey.map { [$0] } ?? [] },
        Self("forward", .text) { $0.forwarding.forward.map { [$0] } ?? [] },
        Self("forward-headers-file", .text) { $0.forwarding.headersFile.map { [$0] } ?? [] },
        Self("forward-queue-size", .integer) { ["\($0.forwarding.queueSize)"] },
        Self("recorder-server", .text) { $0.recorder.server.map { [$0] } ?? [] },
        Self("recorder-key-file", .text) { $0.recorder.keyFile.map { [$0] } ?? [] },
        Self("webhook-host", .list) { $0.webhookHosts },
        Self("telemetry", .text) { $0.telemetry.map { [$0] } ?? [] },
        Self("retention-days", .integer) { ["\($0.retentionDays)"] },
        Self("retention-size", .number) { ["\($0.retentionSize)"] },
        Self("connections", .integer) { ["\($0.connections)"] },
        Self("drain-seconds", .integer) { ["\($0.drainSeconds)"] },
        Self("shutdown-seconds", .integer) { ["\($0.shutdownSeconds)"] },
        Self("conversion", .list) { $0.conversions },
        Self("checkout", .list) { $0.checkouts },
        Self("conversion-amount", .list) { $0.conversionAmounts },
    ]
}
