import AstrolabeDelivery
import AstrolabePlatform
import AstrolabePolicy
import AstrolabePolicyDocument
import AstrolabeTelemetryModel
import AstrolabeTestSupport
import Foundation

@testable import Astrolabe
@testable import AstrolabeRemotePolicy

/// A client of remote policy in time that a test moves, by default with the real transport.
final class PolicyPhone: Sendable {
    static let installation = "8D3B0A6E-54B0-4B9C-9F0E-0C7C1F0B2A11"
    /// 2026-11-28T03:00:00Z.
    private static let start: Int64 = 1_795_834_800

    let folder: URL
    let isInForeground = Locked(true)
    let lines = Locked<[String]>([])
    private let endpoint: URL
    private let seconds: Locked<Double>
    private let applied = Locked<[RemotePolicy?]>([])
    private let promoted = Locked<[String]>([])
    let client: RemotePolicyClient

    /// - Parameters:
    ///   - folder: That of an earlier phone, for its next start.
    ///   - seconds: The time since the beginning of the test.
    ///   - random: The number by which the interval is longer or shorter, in 0..<1.
    init(
        _ endpoint: URL, folder: URL = TestFolders.folder("policy"), at seconds: Double = 0,
        bounds: RemotePolicyBounds = RemotePolicyBounds(), random: Double = 0.5,
        transport: any OTLPTransport = URLSessionTransport(),
    ) throws {
        self.endpoint = endpoint
        self.folder = folder
        try PrivateFiles.makeDirectory(folder.path)
        let clock = Locked(seconds)
        self.seconds = clock
        var settings = RemotePolicyConfiguration(endpoint: endpoint, publicKey: [])
        settings.isValidSignature = TestKey.isValid
        settings.bounds = bounds
        var configuration = TelemetryConfiguration(serviceName: "shop")
        configuration.onDiagnostic = { [lines] line in lines.withLock { $0.append(line) } }
        let time = DeliveryTime(
            now: { clock.withLock { $0 } },
            wall: { UInt64((Double(Self.start) + clock.withLock { $0 }) * 1e9) },
            sleep: { _ in }, random: { random })
        let attributes: Attributes = [
            "service.name": "shop", "service.version": "1.2", "app.installation.id": Self.installation,
            "os.name": "iOS", "host.name": "not for the server",
        ]
        client = RemotePolicyClient(
            settings,
            in: PolicyFollowerFactory.Run(
                configuration: configuration, directory: folder, installationID: Self.installation,
                resource: Resource(attributes: attributes), time: time))
        client.begin(
            PolicyActions(
                apply: { [applied] policy in applied.withLock { $0.append(policy) } },
                promote: { [promoted] reason in promoted.withLock { $0.append(reason) } },
                post: { await transport.send($0) },
                isInForeground: { [isInForeground] in isInForeground.withLock { $0 } },
            ))
    }

    /// The policies that were applied so far, without the one that held from the start.
    var changes: [RemotePolicy?] { applied.withLock { $0 } }
    var promotions: [String] { promoted.withLock { $0 } }

    /// The same phone after its next start.
    func restarted(after time: Double = 60, bounds: RemotePolicyBounds = RemotePolicyBounds()) throws -> PolicyPhone {
        client.stop()
        return try PolicyPhone(endpoint, folder: folder, at: seconds.withLock { $0 } + time, bounds: bounds)
    }

    /// A flush after some time, and all that follows from it.
    func flush(delivering: Bool = true, after time: Double = 20_000, _ cause: FlushCause = .scheduled) async {
        seconds.withLock { $0 += time }
        client.afterFlush(cause, hasDelivered: delivering)
        await client.settle()
    }
}
