/// The program that sent the telemetry; all of these belong to the resource.
extension AttributeKey {
    /// The program's name, the same for all its copies; `unknown_service:` and the executable's name where none is set.
    ///
    /// String, such as `astronomy-shop-ios`. Stable.
    public static let serviceName = "service.name"

    /// The group in which ``serviceName`` is unique.
    ///
    /// String, such as `opentelemetry-demo`. Stable.
    public static let serviceNamespace = "service.namespace"

    /// The program's version.
    ///
    /// String, such as `1.4.0`. Stable.
    public static let serviceVersion = "service.version"

    /// One running copy of the program.
    ///
    /// String, a UUID, such as `627cc493-f310-47de-96bd-71410b7dec09`. Stable.
    public static let serviceInstanceID = "service.instance.id"

    /// The environment in which the program is deployed.
    ///
    /// String, such as `production`. Stable.
    public static let deploymentEnvironmentName = "deployment.environment.name"

    /// The number of the process.
    ///
    /// Int, such as `1234`. In development.
    public static let processPID = "process.pid"

    /// The name of the executable.
    ///
    /// String, such as `astronomy-shop`. In development.
    public static let processExecutableName = "process.executable.name"
}
