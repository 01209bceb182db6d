/// A group of resource attributes that the SDK finds out by itself.
///
///     configuration.resourceDetectors = [.os, .service]
///
/// Attributes of `TelemetryConfiguration.resourceAttributes`, and so those of `OTEL_RESOURCE_ATTRIBUTES`, win over
/// all of them. What has no detector is always found out: `service.name`, `service.version`, `telemetry.sdk.*`,
/// `app.installation.id` and `astrolabe.app.build_number`.
public enum ResourceDetector: Hashable, Sendable, CaseIterable {
    /// `device.*` and `astrolabe.device.*`: the model, the screen, processors, memory, locale and time zone.
    case device
    /// `os.name`, `os.version`, `os.type`, `os.description` and `os.build_id`.
    case os
    /// `host.arch`, the architecture for which the app is compiled. The name of the host is not read.
    case host
    /// `process.pid` and `process.executable.name`. Neither a path nor the command line is read.
    case process
    /// `service.instance.id`, a random UUID for each run of the SDK.
    case service
}
