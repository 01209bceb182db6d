import AstrolabeDeviceConditions
import AstrolabeOfflineQueue
import AstrolabeSemantics

/// Names that both languages write, and the attributes of devices.
struct NameVectors {
    var file: VectorFile {
        VectorFile(
            name: "names",
            sections: [
                ("attributes", Self.attributes.map { [.string($0), .string($1)] }),
                ("headers", Self.headers.map { [.string($0), .string($1)] }),
                ("counters", Self.counters.map { [.string($0), .string($1)] }),
                ("devices", Self.devices),
            ])
    }

    /// The name of the Kotlin constant, and its value.
    private static let attributes = [
        ("APP_INSTALLATION_ID", AttributeKey.appInstallationID),
        ("ASTROLABE_APP_BUILD_NUMBER", AttributeKey.astrolabeAppBuildNumber),
        ("DEVICE_MANUFACTURER", AttributeKey.deviceManufacturer),
        ("DEVICE_MODEL_IDENTIFIER", AttributeKey.deviceModelIdentifier),
        ("DEVICE_MODEL_NAME", AttributeKey.deviceModelName), ("ERROR_TYPE", AttributeKey.errorType),
        ("HTTP_REQUEST_METHOD", AttributeKey.httpRequestMethod),
        ("HTTP_RESPONSE_STATUS_CODE", AttributeKey.httpResponseStatusCode),
        ("NETWORK_CARRIER_NAME", AttributeKey.networkCarrierName),
        ("NETWORK_CONNECTION_TYPE", AttributeKey.networkConnectionType), ("OS_NAME", AttributeKey.osName),
        ("OS_TYPE", AttributeKey.osType), ("OS_VERSION", AttributeKey.osVersion),
        ("SERVER_ADDRESS", AttributeKey.serverAddress), ("SERVER_PORT", AttributeKey.serverPort),
        ("SERVICE_NAME", AttributeKey.serviceName), ("SERVICE_VERSION", AttributeKey.serviceVersion),
        ("SESSION_ID", AttributeKey.sessionID), ("SESSION_PREVIOUS_ID", AttributeKey.sessionPreviousID),
        ("URL_FULL", AttributeKey.urlFull),
    ]

    private static let headers = [
        ("TRACE_PARENT", HeaderName.traceParent), ("TRACE_STATE", HeaderName.traceState),
        ("BAGGAGE", HeaderName.baggage), ("REQUEST_ID", HeaderName.requestID), ("SESSION_ID", HeaderName.sessionID),
        ("DEVICE_ID", HeaderName.deviceID), ("APP_VERSION", HeaderName.appVersion),
    ]

    private static let counters =
        [
            ("ENQUEUED", QueueCounter.enqueued), ("ACKNOWLEDGED", QueueCounter.acknowledged),
            ("UNKNOWN_LOSSES", QueueCounter.unknownLosses),
        ] + [
            ("EVICTED", QueueDrop.evicted.rawValue), ("EXPIRED", QueueDrop.expired.rawValue),
            ("RETRIES_EXHAUSTED", QueueDrop.retriesExhausted.rawValue), ("OVERSIZED", QueueDrop.oversized.rawValue),
        ]

    /// The properties that the Kotlin `DeviceContext` is made of, and the attributes that Swift's has for them.
    private static var devices: [JSON] {
        [
            device(memoryMB: 5_632, scale: 2.5, isEmulator: false, Power(level: 0.5, source: .unplugged), "Carrier"),
            device(memoryMB: 1_024, scale: 1, isEmulator: true, Power(source: .full, isLowPowerMode: true), nil),
        ]
    }

    private static func device(
        memoryMB: Int, scale: Double, isEmulator: Bool, _ power: Power, _ carrier: String?,
    ) -> JSON {
        let context = DeviceContext(
            platform: "android", osName: "Android", osVersion: "14", manufacturer: "Example", deviceModelRaw: "One",
            screenSize: DeviceContext.ScreenSize(width: 1_080 / scale, height: 2_400 / scale), screenScale: scale,
            isSimulator: isEmulator, processorCount: 8, physicalMemoryGB: Double(memoryMB) / 1_024, power: power,
            thermalState: .fair, orientation: .portrait, locale: "en_US", timezone: "Europe/Berlin", carrier: carrier,
            appVersion: isEmulator ? "" : "1.4.0", buildNumber: "42")
        return .object([
            ("memoryMB", JSON(memoryMB)), ("scale", .number(scale)), ("isEmulator", .boolean(isEmulator)),
            ("level", JSON(power.level)), ("source", .string(power.source.rawValue)),
            ("lowPower", .boolean(power.isLowPowerMode)), ("carrier", JSON(carrier)),
            ("appVersion", .string(context.appVersion)), ("installedGB", .number(context.installedMemoryGB)),
            ("resource", json(context.resourceAttributes)), ("moment", json(context.momentAttributes)),
        ])
    }

    private static func json(_ attributes: [String: ContextValue]) -> JSON {
        .object(
            attributes.sorted { $0.key < $1.key }.map { name, value in
                switch value {
                case .string(let text): (name, .string(text))
                case .integer(let number): (name, JSON(number))
                case .number(let number): (name, .number(number))
                case .boolean(let flag): (name, .boolean(flag))
                }
            })
    }
}
