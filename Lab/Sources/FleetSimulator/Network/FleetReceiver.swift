public import AstrolabeDelivery
import AstrolabeTelemetryModel
public import Foundation

/// A real server that gets the requests of a simulated fleet, over sockets.
///
/// A day of a phone takes as long as the server needs for its requests. The server decides whether a request has
/// arrived: after an error the phone keeps the records and sends them again, later in its virtual time.
public struct FleetReceiver: Sendable {
    private let endpoint: OTLPEndpoint
    private let transport: any OTLPTransport
    /// Tells the records of this simulation apart from those of earlier ones, so that none counts as a duplicate.
    let run: UInt32

    /// The attribute of every resource that has the name of the run.
    public static let runKey = "fleet.run"

    /// - Parameters:
    ///   - url: The base address; `/v1/traces`, `/v1/logs` and `/v1/metrics` are appended to its path.
    ///   - headers: Headers of every request, such as a key.
    public init(
        url: URL, headers: [String: String] = [:], transport: any OTLPTransport = URLSessionTransport(),
        run: UInt32 = .random(in: 1...(.max)),
    ) {
        endpoint = OTLPEndpoint(url: url, headers: headers)
        self.transport = transport
        self.run = run
    }

    /// The value of ``runKey``.
    public var runName: String { String(run, radix: 16) }

    func resourceAttributes(of device: Int) -> Attributes {
        [
            Self.runKey: AttributeValue.string(runName), "astrolabe.synthetic": true,
            "app.installation.id": AttributeValue.string("fleet-\(runName)-\(device)"),
        ]
    }

    /// Sends a request that the phone made for its virtual collector.
    ///
    /// A server that is busy is asked again for up to a minute of real time, because the phone's retries take none.
    func send(_ request: OTLPRequest) async -> SendResult {
        var request = request
        request.url = endpoint.url.appendingPathComponent("v1/" + request.url.lastPathComponent)
        request.headers.merge(endpoint.headers) { $1 }
        request.timeout = .seconds(60)
        var result = await transport.send(request)
        for _ in 0..<60 {
            guard case .response(let status, _, _) = result, status == 429 || status == 503 else { return result }
            try? await Task.sleep(for: .seconds(1))
            if Task.isCancelled { return result }
            result = await transport.send(request)
        }
        return result
    }
}
