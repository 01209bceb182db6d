package import AstrolabeTelemetryModel
import AstrolabeWire

/// The message of an OpAMP client, as far as a phone has something to say: `opamp.proto.AgentToServer`.
///
///     var message = AgentToServer(instanceUID: uid, sequenceNumber: 1)
///     message.capabilities = [.reportsStatus, .acceptsRemoteConfig, .reportsRemoteConfig]
///     send(message.bytes, contentType: OpAMP.contentType)
package struct AgentToServer: Equatable, Sendable {
    /// The 16 bytes that identify the client.
    package var instanceUID: [UInt8]
    /// One more than that of the message before.
    package var sequenceNumber: UInt64
    /// The identity of the client; `nil` if the server knows.
    package var description: AgentDescription?
    package var capabilities: AgentCapabilities = []
    package var health: ComponentHealth?
    /// The fate of the last remote configuration; `nil` if the server knows.
    package var remoteConfigStatus: RemoteConfigStatus?
    /// True in the last message of a client.
    package var isDisconnecting = false
    package var flags: AgentToServerFlags = []

    package init(instanceUID: [UInt8], sequenceNumber: UInt64) {
        self.instanceUID = instanceUID
        self.sequenceNumber = sequenceNumber
    }

    /// Decodes a message of at most 256 KiB.
    ///
    /// - Throws: An error for bytes that are no such message.
    package init(decoding bytes: [UInt8]) throws(OpAMPError) {
        self = try bytes.reading { (bytes) throws(OpAMPError) in try AgentToServer(bytes) }
    }

    private init(_ bytes: UnsafeRawBufferPointer) throws(OpAMPError) {
        self.init(instanceUID: [], sequenceNumber: 0)
        var reader = try OpAMPReader(bytes, "AgentToServer")
        while let field = try reader.next() {
            switch field.number {
            case AgentToServerField.instanceUID: instanceUID = try field.uid
            case AgentToServerField.sequenceNumber: sequenceNumber = try field.integer
            case AgentToServerField.agentDescription: description = try AgentDescription(try field.content)
            case AgentToServerField.capabilities: capabilities = AgentCapabilities(rawValue: try field.integer)
            case AgentToServerField.health: health = try ComponentHealth(try field.content)
            case AgentToServerField.remoteConfigStatus:
                remoteConfigStatus = try RemoteConfigStatus(try field.content)
            case AgentToServerField.agentDisconnect:
                _ = try field.content
                isDisconnecting = true
            case AgentToServerField.flags: flags = AgentToServerFlags(rawValue: try field.integer)
            default: break
            }
        }
    }

    /// The message in protobuf.
    package var bytes: [UInt8] {
        var message = WireMessage()
        message.bytesIfAny(AgentToServerField.instanceUID, instanceUID)
        message.number(AgentToServerField.sequenceNumber, sequenceNumber)
        if let description { message.bytes(AgentToServerField.agentDescription, description.bytes) }
        message.number(AgentToServerField.capabilities, capabilities.rawValue)
        if let health { message.bytes(AgentToServerField.health, health.bytes) }
        if let remoteConfigStatus {
            message.bytes(AgentToServerField.remoteConfigStatus, remoteConfigStatus.bytes)
        }
        if isDisconnecting { message.bytes(AgentToServerField.agentDisconnect, []) }
        message.number(AgentToServerField.flags, flags.rawValue)
        return message.bytes
    }
}

/// The parts of OpAMP over HTTP that are no message.
package enum OpAMP {
    /// The media type of both messages.
    package static let contentType = "application/x-protobuf"
}

/// The abilities of a client: `opamp.proto.AgentCapabilities`.
package struct AgentCapabilities: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    package static let reportsStatus = AgentCapabilities(rawValue: 0x1)
    package static let acceptsRemoteConfig = AgentCapabilities(rawValue: 0x2)
    package static let reportsHealth = AgentCapabilities(rawValue: 0x800)
    package static let reportsRemoteConfig = AgentCapabilities(rawValue: 0x1000)
}

/// `opamp.proto.AgentToServerFlags`.
package struct AgentToServerFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The server is to choose another id for the client.
    package static let requestInstanceUID = AgentToServerFlags(rawValue: 0x1)
}

/// The identity of a client: `opamp.proto.AgentDescription`.
package struct AgentDescription: Equatable, Sendable {
    /// `service.name`, `service.version`, `app.installation.id`.
    package var identifying: Attributes
    /// `os.name`, `os.version`, `device.model.identifier` and the like.
    package var others: Attributes

    package init(identifying: Attributes, others: Attributes = [:]) {
        self.identifying = identifying
        self.others = others
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(OpAMPError) {
        // What is no pair is left out; whether the message is intact shows here.
        var reader = try OpAMPReader(bytes, "AgentDescription")
        while try reader.next() != nil {}
        identifying = Attributes(wire: bytes, field: AgentDescriptionField.identifyingAttributes)
        others = Attributes(wire: bytes, field: AgentDescriptionField.otherAttributes)
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendWire(identifying.wireSize + others.wireSize) { writer in
            identifying.write(as: AgentDescriptionField.identifyingAttributes, to: &writer)
            others.write(as: AgentDescriptionField.otherAttributes, to: &writer)
        }
        return bytes
    }
}

/// The state of a client: `opamp.proto.ComponentHealth`, without parts.
package struct ComponentHealth: Equatable, Sendable {
    package var isHealthy: Bool
    /// Nanoseconds since 1970; 0 if it does not run.
    package var startTimeUnixNano: UInt64 = 0
    /// Empty if it is healthy.
    package var lastError = ""
    package var status = ""
    /// Nanoseconds since 1970.
    package var statusTimeUnixNano: UInt64 = 0

    package init(isHealthy: Bool) {
        self.isHealthy = isHealthy
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(OpAMPError) {
        self.init(isHealthy: false)
        var reader = try OpAMPReader(bytes, "ComponentHealth")
        while let field = try reader.next() {
            switch field.number {
            case ComponentHealthField.isHealthy: isHealthy = try field.integer != 0
            case ComponentHealthField.startTime: startTimeUnixNano = try field.fixed64
            case ComponentHealthField.lastError: lastError = try field.text
            case ComponentHealthField.status: status = try field.text
            case ComponentHealthField.statusTime: statusTimeUnixNano = try field.fixed64
            default: break
            }
        }
    }

    var bytes: [UInt8] {
        var message = WireMessage()
        message.number(ComponentHealthField.isHealthy, isHealthy ? 1 : 0)
        if startTimeUnixNano > 0 { message.fixed64(ComponentHealthField.startTime, startTimeUnixNano) }
        message.textIfAny(ComponentHealthField.lastError, lastError)
        message.textIfAny(ComponentHealthField.status, status)
        if statusTimeUnixNano > 0 { message.fixed64(ComponentHealthField.statusTime, statusTimeUnixNano) }
        return message.bytes
    }
}

/// The fate of a remote configuration: `opamp.proto.RemoteConfigStatus`.
package struct RemoteConfigStatus: Equatable, Sendable {
    /// `opamp.proto.RemoteConfigStatuses`.
    package enum State: UInt64, Hashable, Sendable, CaseIterable {
        case unset = 0
        case applied = 1
        case applying = 2
        case failed = 3
    }

    /// The hash of the configuration that came last, as the server sent it.
    package var lastHash: [UInt8]
    package var state: State
    /// Why it was refused; empty if it was not.
    package var errorMessage: String

    package init(lastHash: [UInt8], state: State, errorMessage: String = "") {
        self.lastHash = lastHash
        self.state = state
        self.errorMessage = errorMessage
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(OpAMPError) {
        self.init(lastHash: [], state: .unset)
        var reader = try OpAMPReader(bytes, "RemoteConfigStatus")
        while let field = try reader.next() {
            switch field.number {
            case RemoteConfigStatusField.lastHash: lastHash = try field.bytes
            case RemoteConfigStatusField.status: state = State(rawValue: try field.integer) ?? .unset
            case RemoteConfigStatusField.errorMessage: errorMessage = try field.text
            default: break
            }
        }
    }

    var bytes: [UInt8] {
        var message = WireMessage()
        message.bytesIfAny(RemoteConfigStatusField.lastHash, lastHash)
        message.number(RemoteConfigStatusField.status, state.rawValue)
        message.textIfAny(RemoteConfigStatusField.errorMessage, errorMessage)
        return message.bytes
    }
}
