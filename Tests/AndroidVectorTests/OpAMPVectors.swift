import AstrolabeOpAMP
import AstrolabePolicyDocument
import AstrolabeTelemetryModel

/// Messages of OpAMP as a phone sends and reads them, in hexadecimal digits.
enum OpAMPVectors {
    private static let uid = Array(UInt8(1)...16)

    /// `[sequence number, describes itself, hash of the last configuration, error, message]`. Without a hash there is
    /// no status, and with an error it is a failure.
    static var requests: [JSON] {
        [
            request(1, isDescribed: true), request(300, isDescribed: false),
            request(2, isDescribed: false, hash: [0xAB, 0xCD]),
            request(3, isDescribed: true, hash: [0xAB], error: "The document has expired"),
        ]
    }

    private static func request(_ number: Int, isDescribed: Bool, hash: [UInt8]? = nil, error: String = "") -> JSON {
        var message = AgentToServer(instanceUID: uid, sequenceNumber: UInt64(number))
        message.capabilities = [.reportsStatus, .acceptsRemoteConfig, .reportsRemoteConfig, .reportsHealth]
        if isDescribed {
            message.description = AgentDescription(
                identifying: ["service.name": "shop", "service.version": "1.4"],
                others: ["os.name": "Android", "device.model.identifier": "Pixel 9 é"])
            message.health = ComponentHealth(isHealthy: true)
        }
        if let hash {
            message.remoteConfigStatus = RemoteConfigStatus(
                lastHash: hash, state: error.isEmpty ? .applied : .failed, errorMessage: error)
        }
        return [
            JSON(number), .boolean(isDescribed), JSON(hash?.hex), .string(error), .string(message.bytes.hex),
        ]
    }

    /// `[message, problem, text of the policy, signature, hash, asks for a description, id, error, seconds of it]`. A
    /// message with a problem has nothing else.
    static var replies: [JSON] {
        var offer = ServerToAgent(instanceUID: uid)
        offer.capabilities = [.acceptsStatus, .offersRemoteConfig]
        offer.remoteConfig = PolicyOffer(document: Array("{}".utf8), signature: [1, 2, 3]).configuration
        var stranger = ServerToAgent(instanceUID: [])
        stranger.flags = [.reportFullState]
        stranger.newInstanceUID = Array(uid.reversed())
        stranger.remoteConfig = AgentRemoteConfig(entries: [:], hash: [7])
        var busy = ServerToAgent(instanceUID: uid)
        busy.errorResponse = ServerErrorResponse(.unavailable, message: "busy", retryAfterNanoseconds: 1_500_000_000)
        var failing = ServerToAgent(instanceUID: uid)
        failing.errorResponse = ServerErrorResponse(.badRequest, message: "no")
        let whole: [[UInt8]] = [[], offer.bytes, stranger.bytes, busy.bytes, failing.bytes]
        // Unknown fields of all types, a short id, a text as flags, a number as a configuration, and no protobuf.
        let odd: [[UInt8]] = [
            [0x78, 1, 0x79, 1, 2, 3, 4, 5, 6, 7, 8, 0x7D, 1, 2, 3, 4, 0x7A, 1, 0], [0x0A, 2, 1, 2], [0x32, 1, 0x41],
            [0x18, 1], [0x0B], [0x00, 1], [0x78] + [UInt8](repeating: 0xFF, count: 10),
        ]
        let cut = stride(from: 1, to: offer.bytes.count, by: 13).map { Array(offer.bytes.prefix($0)) }
        return (whole + odd + cut).map(reply)
    }

    private static func reply(_ bytes: [UInt8]) -> JSON {
        let message: ServerToAgent
        do throws(OpAMPError) {
            message = try ServerToAgent(decoding: bytes)
        } catch {
            return [.string(bytes.hex), .string(error.description)]
        }
        let configuration = message.remoteConfig
        let offer = configuration.flatMap { PolicyOffer($0) }
        let seconds = message.errorResponse?.retryAfterNanoseconds.map { Double($0) / 1e9 }
        return [
            .string(bytes.hex), nil, JSON(offer.map { String(decoding: $0.document, as: UTF8.self) }),
            JSON(offer?.signature.hex), JSON(configuration?.hash.hex),
            .boolean(message.flags.contains(.reportFullState)), .string(message.newInstanceUID.hex),
            JSON(message.errorResponse?.message), JSON(seconds),
        ]
    }
}
