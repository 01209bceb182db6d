import AstrolabePlatform
import ConsoleAccess
import Foundation
import TelemetryConsole

/// The flight recorder of the shop's backend in a demo or a scenario, which the console asks for its part of promoted
/// traces.
struct ShopRecorder: Sendable {
    private let key = "astrolabe_recorder_" + KeyText.random()
    private let address = Locked<URL?>(nil)

    /// The environment in which the backend has the recorder, and a key of its own.
    var environment: [String: String] { ["ASTROLABE_RECORDER": "on", RecorderKeySource.variable: key] }

    /// The backend as the console's configuration has it. The console listens before the backend does.
    var server: RecorderServer { RecorderServer(address: { [address] in address.withLock { $0 } }, key: key) }

    /// Tells the console the port of the backend.
    func listens(at port: Int) {
        address.withLock { $0 = URL(string: "http://127.0.0.1:\(port)") }
    }
}
