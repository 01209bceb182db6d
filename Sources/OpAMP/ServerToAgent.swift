import AstrolabeWire

/// The message of an OpAMP server, as far as a phone follows it: `opamp.proto.ServerToAgent`.
///
///     var message = ServerToAgent(instanceUID: request.instanceUID)
///     message.capabilities = [.acceptsStatus, .offersRemoteConfig]
///     message.remoteConfig = AgentRemoteConfig(entries: [:], hash: hash)
package struct ServerToAgent: Equatable, Sendable {
    /// The id in the message of the client.
    package var instanceUID: [UInt8]
    /// The server's error, with which nothing else comes.
    package var errorResponse: ServerErrorResponse?
    /// The configuration that the server offers; `nil` if the client has it.
    package var remoteConfig: AgentRemoteConfig?
    package var flags: ServerToAgentFlags = []
    package var capabilities: ServerCapabilities = []
    /// The id that the client is to use from now on; empty if it keeps its own.
    package var newInstanceUID: [UInt8] = []

    package init(instanceUID: [UInt8]) {
        self.instanceUID = instanceUID
    }

    /// Decodes a message of at most 256 KiB.
    ///
    /// - Throws: An error for bytes that are no such message.
    package init(decoding bytes: [UInt8]) throws(OpAMPError) {
        self = try bytes.reading { (bytes) throws(OpAMPError) in try ServerToAgent(bytes) }
    }

    private init(_ bytes: UnsafeRawBufferPointer) throws(OpAMPError) {
        self.init(instanceUID: [])
        var reader = try OpAMPReader(bytes, "ServerToAgent")
        while let field = try reader.next() {
            switch field.number {
            case ServerToAgentField.instanceUID: instanceUID = try field.uid
            case ServerToAgentField.errorResponse: errorResponse = try ServerErrorResponse(try field.content)
            case ServerToAgentField.remoteConfig: remoteConfig = try AgentRemoteConfig(try field.content)
            case ServerToAgentField.flags: flags = ServerToAgentFlags(rawValue: try field.integer)
            case ServerToAgentField.capabilities: capabilities = ServerCapabilities(rawValue: try field.integer)
            case ServerToAgentField.agentIdentification: newInstanceUID = try Self.newUID(in: try field.content)
            default: break
            }
        }
    }

    private static func newUID(in bytes: UnsafeRawBufferPointer) throws(OpAMPError) -> [UInt8] {
        var reader = try OpAMPReader(bytes, "AgentIdentification")
        var uid: [UInt8] = []
        while let field = try reader.next() {
            if field.number == AgentIdentificationField.newInstanceUID { uid = try field.uid }
        }
        return uid
    }

    /// The message in protobuf.
    package var bytes: [UInt8] {
        var message = WireMessage()
        message.bytesIfAny(ServerToAgentField.instanceUID, instanceUID)
        if let errorResponse { message.bytes(ServerToAgentField.errorResponse, errorResponse.bytes) }
        if let remoteConfig { message.bytes(ServerToAgentField.remoteConfig, remoteConfig.bytes) }
        message.number(ServerToAgentField.flags, flags.rawValue)
        message.number(ServerToAgentField.capabilities, capabilities.rawValue)
        if !newInstanceUID.isEmpty {
            var identification = WireMessage()
            identification.bytes(AgentIdentificationField.newInstanceUID, newInstanceUID)
            message.bytes(ServerToAgentField.agentIdentification, identification.bytes)
        }
        return message.bytes
    }
}

/// `opamp.proto.ServerToAgentFlags`.
package struct ServerToAgentFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The server does not know the client, which is to say all about itself.
    package static let reportFullState = ServerToAgentFlags(rawValue: 0x1)
}

/// The abilities of a server: `opamp.proto.ServerCapabilities`.
package struct ServerCapabilities: OptionSet, Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    package static let acceptsStatus = ServerCapabilities(rawValue: 0x1)
    package static let offersRemoteConfig = ServerCapabilities(rawValue: 0x2)
}

/// The error of a server: `opamp.proto.ServerErrorResponse`.
package struct ServerErrorResponse: Equatable, Sendable {
    /// `opamp.proto.ServerErrorResponseType`.
    package enum Kind: UInt64, Hashable, Sendable, CaseIterable {
        case unknown = 0
        case badRequest = 1
        case unavailable = 2
    }

    package var kind: Kind
    package var message: String
    /// Nanoseconds after which the client may try again; `nil` if the server does not say.
    package var retryAfterNanoseconds: UInt64?

    package init(_ kind: Kind, message: String = "", retryAfterNanoseconds: UInt64? = nil) {
        self.kind = kind
        self.message = message
        self.retryAfterNanoseconds = retryAfterNanoseconds
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(OpAMPError) {
        self.init(.unknown)
        var reader = try OpAMPReader(bytes, "ServerErrorResponse")
        while let field = try reader.next() {
            switch field.number {
            case ServerErrorField.type: kind = Kind(rawValue: try field.integer) ?? .unknown
            case ServerErrorField.message: message = try field.text
            case ServerErrorField.retryInfo: retryAfterNanoseconds = try Self.retry(in: try field.content)
            default: break
            }
        }
    }

    private static func retry(in bytes: UnsafeRawBufferPointer) throws(OpAMPError) -> UInt64 {
        var reader = try OpAMPReader(bytes, "RetryInfo")
        var nanoseconds: UInt64 = 0
        while let field = try reader.next() {
            if field.number == RetryInfoField.retryAfterNanoseconds { nanoseconds = try field.integer }
        }
        return nanoseconds
    }

    var bytes: [UInt8] {
        var bytes = WireMessage()
        bytes.number(ServerErrorField.type, kind.rawValue)
        bytes.textIfAny(ServerErrorField.message, message)
        if let retryAfterNanoseconds {
            var retry = WireMessage()
            retry.number(RetryInfoField.retryAfterNanoseconds, retryAfterNanoseconds)
            bytes.bytes(ServerErrorField.retryInfo, retry.bytes)
        }
        return bytes.bytes
    }
}

/// A configuration that a server offers: `opamp.proto.AgentRemoteConfig`.
package struct AgentRemoteConfig: Equatable, Sendable {
    /// A named part: `opamp.proto.AgentConfigFile`.
    package struct File: Equatable, Sendable {
        package var body: [UInt8]
        /// A media type, such as `application/json`.
        package var contentType: String

        package init(body: [UInt8], contentType: String = "") {
            self.body = body
            self.contentType = contentType
        }
    }

    /// The parts by name.
    package var entries: [String: File]
    /// The server's hash of the parts, which the client returns in its next ``RemoteConfigStatus``.
    package var hash: [UInt8]

    /// The most parts that are read.
    static let entryLimit = 64

    package init(entries: [String: File], hash: [UInt8]) {
        self.entries = entries
        self.hash = hash
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(OpAMPError) {
        self.init(entries: [:], hash: [])
        var reader = try OpAMPReader(bytes, "AgentRemoteConfig")
        while let field = try reader.next() {
            switch field.number {
            case AgentRemoteConfigField.config: try readMap(try field.content)
            case AgentRemoteConfigField.hash: hash = try field.bytes
            default: break
            }
        }
    }

    private mutating func readMap(_ bytes: UnsafeRawBufferPointer) throws(OpAMPError) {
        var reader = try OpAMPReader(bytes, "AgentConfigMap")
        while let field = try reader.next() {
            guard field.number == AgentConfigMapField.entries else { continue }
            let (name, file) = try Self.entry(try field.content)
            entries[name] = file
            guard entries.count <= Self.entryLimit else {
                throw OpAMPError("expected at most \(Self.entryLimit) entries of AgentConfigMap, found more")
            }
        }
    }

    private static func entry(_ bytes: UnsafeRawBufferPointer) throws(OpAMPError) -> (String, File) {
        var (name, file) = ("", File(body: []))
        var reader = try OpAMPReader(bytes, "an entry of AgentConfigMap")
        while let field = try reader.next() {
            switch field.number {
            case MapEntryField.key: name = try field.text
            case MapEntryField.value: file = try Self.file(try field.content)
            default: break
            }
        }
        return (name, file)
    }

    private static func file(_ bytes: UnsafeRawBufferPointer) throws(OpAMPError) -> File {
        var file = File(body: [])
        var reader = try OpAMPReader(bytes, "AgentConfigFile")
        while let field = try reader.next() {
            switch field.number {
            case AgentConfigFileField.body: file.body = try field.bytes
            case AgentConfigFileField.contentType: file.contentType = try field.text
            default: break
            }
        }
        return file
    }

    var bytes: [UInt8] {
        var map = WireMessage()
        for (name, file) in entries.sorted(by: { $0.key < $1.key }) {
            var content = WireMessage()
            content.bytesIfAny(AgentConfigFileField.body, file.body)
            content.textIfAny(AgentConfigFileField.contentType, file.contentType)
            var entry = WireMessage()
            entry.text(MapEntryField.key, name)
            entry.bytes(MapEntryField.value, content.bytes)
            map.bytes(AgentConfigMapField.entries, entry.bytes)
        }
        var message = WireMessage()
        message.bytes(AgentRemoteConfigField.config, map.bytes)
        message.bytesIfAny(AgentRemoteConfigField.hash, hash)
        return message.bytes
    }
}
