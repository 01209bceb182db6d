/// The field numbers of `opamp.proto.AgentToServer`.
enum AgentToServerField {
    static let instanceUID: UInt32 = 1
    static let sequenceNumber: UInt32 = 2
    static let agentDescription: UInt32 = 3
    static let capabilities: UInt32 = 4
    static let health: UInt32 = 5
    static let remoteConfigStatus: UInt32 = 7
    static let agentDisconnect: UInt32 = 9
    static let flags: UInt32 = 10
}

/// The field numbers of `opamp.proto.AgentDescription`.
enum AgentDescriptionField {
    static let identifyingAttributes: UInt32 = 1
    static let otherAttributes: UInt32 = 2
}

/// The field numbers of `opamp.proto.ComponentHealth`.
enum ComponentHealthField {
    static let isHealthy: UInt32 = 1
    static let startTime: UInt32 = 2
    static let lastError: UInt32 = 3
    static let status: UInt32 = 4
    static let statusTime: UInt32 = 5
}

/// The field numbers of `opamp.proto.RemoteConfigStatus`.
enum RemoteConfigStatusField {
    static let lastHash: UInt32 = 1
    static let status: UInt32 = 2
    static let errorMessage: UInt32 = 3
}

/// The field numbers of `opamp.proto.ServerToAgent`.
enum ServerToAgentField {
    static let instanceUID: UInt32 = 1
    static let errorResponse: UInt32 = 2
    static let remoteConfig: UInt32 = 3
    static let flags: UInt32 = 6
    static let capabilities: UInt32 = 7
    static let agentIdentification: UInt32 = 8
}

/// The field numbers of `opamp.proto.ServerErrorResponse`.
enum ServerErrorField {
    static let type: UInt32 = 1
    static let message: UInt32 = 2
    static let retryInfo: UInt32 = 3
}

/// The field number of `opamp.proto.RetryInfo`.
enum RetryInfoField {
    static let retryAfterNanoseconds: UInt32 = 1
}

/// The field number of `opamp.proto.AgentIdentification`.
enum AgentIdentificationField {
    static let newInstanceUID: UInt32 = 1
}

/// The field numbers of `opamp.proto.AgentRemoteConfig`.
enum AgentRemoteConfigField {
    static let config: UInt32 = 1
    static let hash: UInt32 = 2
}

/// The field number of `opamp.proto.AgentConfigMap`.
enum AgentConfigMapField {
    static let entries: UInt32 = 1
}

/// The field numbers of an entry of a map.
enum MapEntryField {
    static let key: UInt32 = 1
    static let value: UInt32 = 2
}

/// The field numbers of `opamp.proto.AgentConfigFile`.
enum AgentConfigFileField {
    static let body: UInt32 = 1
    static let contentType: UInt32 = 2
}
