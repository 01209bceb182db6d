package import ConsoleStore
package import Foundation
package import Logging

/// Where the console listens, what it keeps, and what it takes at most.
///
///     var configuration = ConsoleConfiguration(databasePath: ".astrolabe/console.sqlite")
///     configuration.port = 0      // any free port; `run` tells which
package struct ConsoleConfiguration: Sendable {
    /// An address of this machine. The default, 127.0.0.1, is reached from this machine alone; a phone on the same
    /// network needs `0.0.0.0`, and then everybody on that network reaches the console too.
    package var host = "127.0.0.1"
    /// 4318 is OTLP/HTTP's own, so that exporters find the console unconfigured; 0 takes a free one.
    package var port = 4318
    package var store: StoreConfiguration
    /// Where debug information is kept, by which addresses become functions and lines: `symbols` beside the database.
    package var symbolsFolder: URL
    package var limits = Limits()
    /// How often what is too old or too much is removed.
    package var retentionInterval: Duration = .seconds(30)
    /// How long requests under way may take to end when the console stops.
    package var shutdownTime: Duration = .seconds(5)
    package var logger = Logger(label: "astrolabe.console")

    package init(databasePath: String) {
        store = StoreConfiguration(path: databasePath)
        symbolsFolder = URL(fileURLWithPath: databasePath).deletingLastPathComponent().appendingPathComponent("symbols")
    }

    package struct Limits: Sendable, Hashable {
        /// Bytes of an OTLP request as it comes over the wire. 8 MiB by default.
        package var bodyBytes = 8 << 20
        /// Bytes of an OTLP request once it is inflated. 32 MiB by default.
        package var inflatedBytes = 32 << 20
        /// OTLP requests that are read at one moment; one more is told to come again. 32 by default.
        package var requestsAtOnce = 32
        /// Pages that follow changes at one moment. 64 by default.
        package var liveReaders = 64
        /// The shortest time between two changes told to one page. 250 ms by default.
        package var liveInterval: Duration = .milliseconds(250)
        /// How long a page that follows changes may hear nothing at all. 15 s by default.
        package var heartbeat: Duration = .seconds(15)
        /// Connections at one moment; one more waits. 512 by default.
        package var connections = 512

        package init() {}
    }
}
