package import ClickHouse
package import ConsoleAccess
package import ConsoleModel
package import Foundation
package import Logging
package import ServerSupport
package import TelemetryQuery

/// The configuration of the console: address, storage and limits.
///
///     var configuration = ConsoleConfiguration(databasePath: ".astrolabe/console.sqlite")
///     configuration.port = 0      // any free port; `run` reports it
package struct ConsoleConfiguration: Sendable {
    /// The console's capabilities beyond HTTP and its own file. The default is nothing.
    package var capabilities = ConsoleCapabilities()
    /// The address to listen on. The default is 127.0.0.1, which only this machine can reach.
    ///
    /// Use `0.0.0.0` for a phone on the same network. Then the console starts only if there are keys.
    package var host = "127.0.0.1"
    /// The port to listen on; 0 selects a free port. The default is 4318, the default port of OTLP/HTTP.
    package var port = 4318
    /// The port for OTLP over gRPC; 0 selects a free port. The default is `nil`: the console does not receive it.
    package var grpcPort: Int?
    package var store: StoreConfiguration
    /// The ClickHouse database that stores the records, in place of the file of ``store``.
    package var clickHouse: ClickHouseConfiguration?
    /// The folder of the debug symbols. The default is `symbols`, next to the database.
    package var symbolsFolder: URL
    /// The file of the releases. The default is `releases.json`, next to the database.
    package var releasesPath: String
    /// The folder of the user's boards. The default is `boards`, next to the database.
    package var boardsFolder: URL
    /// The file of the keys. The default is `keys.json`, next to the database. If it has a key, all senders
    /// and viewers need one.
    package var keysPath: String
    /// The file of the states of alerts. The default is `alerts.json`, next to the database.
    package var alertsPath: String
    /// The file of the notices that wait for their receivers. The default is `notices.json`, next to the database.
    package var noticesPath: String
    /// The file of the policies that were pushed. The default is `policies.json`, next to the database.
    package var policiesPath: String
    /// The file of the agents that asked for a policy. The default is `policy-agents.json`, next to the database.
    package var policyAgentsPath: String
    /// The file of who came in and what was changed. The default is `audit.jsonl`, next to the database.
    package var auditPath: String
    /// A key for ingest that is in no file: that of a program which runs the console and sends to it.
    package var ownKey: KeyText?
    /// The names by which a proxy on this machine makes the console public, in lower case.
    package var publicNames: [String] = []
    /// The origins of web pages of other sites that may send OTLP, such as `https://shop.example.com`. The default is
    /// none: browsers send only what the console's own pages ask for.
    package var corsOrigins: [String] = []
    /// The console's own certificate; `nil` for HTTP.
    package var tls: ConsoleCertificate?
    package var limits = Limits()
    /// The server that accepted requests are sent on to; `nil` for none.
    package var forwarding: ForwardingConfiguration?
    /// The server that is asked for its part of promoted traces; `nil` for none.
    package var recorderServer: RecorderServer?
    /// The time between two passes of retention. The default is 30 s.
    package var retentionInterval: Duration = .seconds(30)
    /// The time after which it is stored when keys were used, and which agents asked for a policy. The default is a
    /// minute.
    var keyUseInterval: Duration = .seconds(60)
    /// The time between two passes over the alerts. The default is 5 s.
    package var alertInterval: Duration = .seconds(5)
    /// The hosts that alerts may be posted to, in lower case, as `host` for the usual port or as `host:port`. The
    /// default is empty: the addresses in environment variables, and none that is in a board.
    package var webhookHosts: Set<String> = []
    /// The sender of alerts.
    var webhooks = WebhookSender()
    /// The time for which a console that was asked to stop still listens, so that balancers notice that it is not
    /// ready. The default is zero.
    package var drainTime: Duration = .zero
    /// The timeout for active requests when the console stops. The default is 5 s.
    package var shutdownTime: Duration = .seconds(5)
    package var logger = Logger(label: "astrolabe.console")
    /// The instruments with which the console records itself; by default none.
    package var instruments = ConsoleInstruments()

    package init(databasePath: String) {
        store = StoreConfiguration(path: databasePath)
        let folder = URL(fileURLWithPath: databasePath).deletingLastPathComponent()
        symbolsFolder = folder.appendingPathComponent("symbols")
        releasesPath = folder.appendingPathComponent("releases.json").path
        boardsFolder = folder.appendingPathComponent("boards")
        keysPath = folder.appendingPathComponent("keys.json").path
        alertsPath = folder.appendingPathComponent("alerts.json").path
        noticesPath = folder.appendingPathComponent("notices.json").path
        policiesPath = folder.appendingPathComponent("policies.json").path
        policyAgentsPath = folder.appendingPathComponent("policy-agents.json").path
        auditPath = folder.appendingPathComponent("audit.jsonl").path
    }

    /// Returns the address of the console without a path: `http://127.0.0.1:4318`.
    package func address(port: Int) -> String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(tls == nil ? "http" : "https")://\(name):\(port)"
    }

    /// Returns the address that a browser elsewhere opens, without a path: a public name, or that of this machine.
    func linkAddress(port: Int) -> String {
        if let name = publicNames.first { return "https://\(name)" }
        guard ["0.0.0.0", "::"].contains(host) else { return address(port: port) }
        return "\(tls == nil ? "http" : "https")://\(ProcessInfo.processInfo.hostName):\(port)"
    }

    package struct Limits: Sendable {
        /// The maximum size of an OTLP request body in bytes. The default is 8 MiB.
        package var bodyBytes = 8 << 20
        /// The maximum size of a decompressed OTLP request body in bytes. The default is 32 MiB.
        package var inflatedBytes = 32 << 20
        /// The maximum size of an uploaded file with debug symbols in bytes. The default is 2 GiB.
        package var symbolBytes = 2 << 30
        /// The number of files with debug symbols that arrive at the same time, and their size on disk until they are
        /// stored.
        var symbolUploads = UploadTable.Limits()
        /// The maximum size of all OTLP requests at one moment in memory, in bytes. The default is 640 MiB.
        ///
        /// A request counts with its body and with the most that its records may occupy, so this is enough for one of
        /// the maximum size. Further requests get 503. Usual requests use far less. An eighth is for small ones alone.
        package var memoryBytes = 640 << 20
        /// The maximum number of OTLP requests that are decoded and stored concurrently. Further ones get 503. The
        /// default is 32, and 8 of one sender. A request counts from when its body is complete.
        package var requestsAtOnce = 32
        /// The numbers of requests with much work that run and wait.
        var heavyRequests = IngestQueue.Limits()
        /// The maximum number of live connections. The default is 64.
        package var liveReaders = 64
        /// The minimum time between two changes sent to one page. The default is 250 ms.
        package var liveInterval: Duration = .milliseconds(250)
        /// The time without changes after which a live connection gets a heartbeat. The default is 2 s. The pages
        /// count a connection as lost after 6 s of silence.
        package var heartbeat: Duration = .seconds(2)
        /// The limits of one query.
        package var query = QueryEngine.Limits()
        /// The limits of all queries together, and of one viewer's.
        var queries = QuerySchedule.Limits()
        /// The limits of the connections of HTTP and, apart from them, of gRPC. The default is 512, and 256 from one
        /// address.
        package var connections = ConnectionLimits(total: 512)

        package init() {}
    }
}
