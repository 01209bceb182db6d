/// A value of an attribute, in the types that device attributes need.
public enum ContextValue: Equatable, Sendable {
    case string(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
}

extension DeviceContext {
    /// Attributes that do not change while the process runs, for the resource.
    ///
    /// Uses the names of the semantic conventions if they exist, otherwise `astrolabe.device.…`. Unknown values are
    /// omitted.
    public var resourceAttributes: [String: ContextValue] {
        var attributes: [String: ContextValue] = [
            "astrolabe.device.platform": .string(platform),
            "astrolabe.device.is_simulator": .boolean(isSimulator),
            "astrolabe.device.processor_count": .integer(processorCount),
            "astrolabe.device.physical_memory_gb": .number(physicalMemoryGB),
        ]
        if let systemType { attributes["os.type"] = .string(systemType) }
        if let screenSize {
            attributes["astrolabe.device.screen.width"] = .number(screenSize.width)
            attributes["astrolabe.device.screen.height"] = .number(screenSize.height)
            attributes["astrolabe.device.screen.scale"] = .number(screenScale)
        }
        let texts = [
            "os.name": osName,
            "os.version": osVersion,
            "device.manufacturer": manufacturer,
            "device.model.identifier": deviceModelRaw,
            "device.model.name": deviceModel,
            "service.version": appVersion,
            "astrolabe.app.build_number": buildNumber,
            "astrolabe.device.locale": locale,
            "astrolabe.device.timezone": timezone,
        ]
        for (name, text) in texts where !text.isEmpty { attributes[name] = .string(text) }
        return attributes
    }

    /// Attributes that may change, for a record of this moment rather than for the resource: the SDK's events about
    /// the app's life, the network and the policy, and crash reports.
    public var momentAttributes: [String: ContextValue] {
        var attributes: [String: ContextValue] = [
            "astrolabe.device.low_power_mode": .boolean(isLowPowerMode),
            "astrolabe.device.thermal_state": .string(thermalState.rawValue),
            "astrolabe.device.battery.state": .string(batteryState.rawValue),
            "astrolabe.device.orientation": .string(orientation.rawValue),
        ]
        if let batteryLevel { attributes["astrolabe.device.battery.level"] = .number(batteryLevel) }
        if let carrier { attributes["network.carrier.name"] = .string(carrier) }
        return attributes
    }

    private var systemType: String? {
        switch platform {
        case "ios", "maccatalyst", "macos", "tvos", "visionos": "darwin"
        case "linux", "android": "linux"
        default: nil
        }
    }
}
