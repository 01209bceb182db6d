import AstrolabeTelemetryModel
import Testing

@testable import AstrolabeOpAMP

/// The expected bytes are written by hand from the field numbers of `opamp.proto` of open-telemetry/opamp-spec.
@Suite("Messages of OpAMP")
struct OpAMPMessageTests {
    private static let uid: [UInt8] = Array(0..<16)
    /// Field 1 with the 16 bytes of the id.
    private static let uidField: [UInt8] = [0x0A, 16] + uid

    private var report: AgentToServer {
        var message = AgentToServer(instanceUID: Self.uid, sequenceNumber: 300)
        message.description = AgentDescription(identifying: ["a": "b"], others: ["c": 1])
        message.capabilities = [.reportsStatus, .acceptsRemoteConfig, .reportsHealth, .reportsRemoteConfig]
        var health = ComponentHealth(isHealthy: true)
        health.startTimeUnixNano = 1
        health.lastError = "e"
        health.status = "s"
        health.statusTimeUnixNano = 2
        message.health = health
        message.remoteConfigStatus = RemoteConfigStatus(lastHash: [9], state: .failed, errorMessage: "no")
        message.isDisconnecting = true
        message.flags = .requestInstanceUID
        return message
    }

    private static let reportBytes: [UInt8] =
        uidField
        + [0x10, 0xAC, 0x02]  // sequence_num = 2
        + [0x1A, 19]  // agent_description = 3
        + [0x0A, 8, 0x0A, 1, 0x61, 0x12, 3, 0x0A, 1, 0x62]  // identifying_attributes = 1
        + [0x12, 7, 0x0A, 1, 0x63, 0x12, 2, 0x18, 1]  // non_identifying_attributes = 2
        + [0x20, 0x83, 0x30]  // capabilities = 4: 0x1803
        + [0x2A, 26, 0x08, 1]  // health = 5: healthy = 1
        + [0x11, 1, 0, 0, 0, 0, 0, 0, 0]  // start_time_unix_nano = 2
        + [0x1A, 1, 0x65, 0x22, 1, 0x73]  // last_error = 3, status = 4
        + [0x29, 2, 0, 0, 0, 0, 0, 0, 0]  // status_time_unix_nano = 5
        + [0x3A, 9, 0x0A, 1, 9, 0x10, 3, 0x1A, 2, 0x6E, 0x6F]  // remote_config_status = 7
        + [0x4A, 0]  // agent_disconnect = 9
        + [0x50, 1]  // flags = 10

    private var offer: ServerToAgent {
        var message = ServerToAgent(instanceUID: Self.uid)
        message.remoteConfig = AgentRemoteConfig(
            entries: ["p": AgentRemoteConfig.File(body: [1, 2], contentType: "t")], hash: [7, 8])
        message.flags = .reportFullState
        message.capabilities = [.acceptsStatus, .offersRemoteConfig]
        message.newInstanceUID = Array(1...16)
        return message
    }

    private static let offerBytes: [UInt8] =
        uidField
        + [0x1A, 20]  // remote_config = 3
        + [0x0A, 14, 0x0A, 12]  // config = 1: config_map = 1
        + [0x0A, 1, 0x70, 0x12, 7, 0x0A, 2, 1, 2, 0x12, 1, 0x74]  // key = 1, value = 2: body = 1, content_type = 2
        + [0x12, 2, 7, 8]  // config_hash = 2
        + [0x30, 1, 0x38, 3]  // flags = 6, capabilities = 7
        + [0x42, 18, 0x0A, 16] + Array(1...16)  // agent_identification = 8: new_instance_uid = 1

    @Test func `have the bytes of the official definition, and are read back`() throws {
        #expect(report.bytes == Self.reportBytes)
        #expect(try AgentToServer(decoding: Self.reportBytes) == report)
        #expect(offer.bytes == Self.offerBytes)
        #expect(try ServerToAgent(decoding: Self.offerBytes) == offer)
    }

    @Test func `an error of the server says when to try again`() throws {
        var message = ServerToAgent(instanceUID: [])
        message.errorResponse = ServerErrorResponse(.unavailable, message: "m", retryAfterNanoseconds: 1_000)
        let bytes: [UInt8] = [0x12, 10, 0x08, 2, 0x12, 1, 0x6D, 0x1A, 3, 0x08, 0xE8, 0x07]
        #expect(message.bytes == bytes)
        #expect(try ServerToAgent(decoding: bytes) == message)
    }

    @Test func `fields of other agents and servers are skipped`() throws {
        // effective_config = 6, package_statuses = 8, custom_capabilities = 12, and one that is not defined.
        let others: [UInt8] = [0x32, 2, 0x0A, 0, 0x42, 0, 0x62, 0, 0xA1, 0x06, 1, 2, 3, 4, 5, 6, 7, 8]
        #expect(try AgentToServer(decoding: Self.reportBytes + others) == report)
        #expect(try ServerToAgent(decoding: Self.offerBytes + [0x22, 0, 0x2A, 0, 0x4A, 0]) == offer)
    }

    @Test func `damaged bytes are refused or read, and never trap`() {
        for whole in [Self.reportBytes, Self.offerBytes] {
            for length in whole.indices { decode(Array(whole.prefix(length))) }
            for index in whole.indices {
                for byte in [0x00, 0x7F, 0x80, 0xFF, whole[index] ^ 0x01] as [UInt8] {
                    var damaged = whole
                    damaged[index] = byte
                    decode(damaged)
                }
            }
        }
        #expect(throws: OpAMPError.self) { try AgentToServer(decoding: [0x0A, 3, 1, 2, 3]) }
        #expect(throws: OpAMPError.self) { try AgentToServer(decoding: [0x10, 0xFF]) }
        #expect(throws: OpAMPError.self) { try ServerToAgent(decoding: [0x18, 1]) }
        #expect(throws: OpAMPError.self) { try ServerToAgent(decoding: Array("<html>".utf8)) }
    }

    @Test func `more than 256 KiB, and more than 64 entries, are refused`() {
        let large = [UInt8](repeating: 0, count: OpAMPReader.sizeLimit + 1)
        #expect(throws: OpAMPError.self) { try AgentToServer(decoding: large) }
        var message = ServerToAgent(instanceUID: [])
        let names = (0...AgentRemoteConfig.entryLimit).map { ("\($0)", AgentRemoteConfig.File(body: [])) }
        message.remoteConfig = AgentRemoteConfig(entries: Dictionary(uniqueKeysWithValues: names), hash: [])
        #expect(throws: OpAMPError.self) { try ServerToAgent(decoding: message.bytes) }
    }

    private func decode(_ bytes: [UInt8]) {
        if let message = try? AgentToServer(decoding: bytes) {
            #expect((try? AgentToServer(decoding: message.bytes)) != nil)
        }
        if let message = try? ServerToAgent(decoding: bytes) {
            #expect((try? ServerToAgent(decoding: message.bytes)) != nil)
        }
    }
}
