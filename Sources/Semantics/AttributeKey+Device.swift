/// The device, its operating system and what they say of the app.
extension AttributeKey {
    /// The manufacturer of the device; always `Apple` for Apple's.
    ///
    /// String, such as `Apple`. In development.
    public static let deviceManufacturer = "device.manufacturer"

    /// The model as the system names it to programs.
    ///
    /// String, such as `iPhone16,1`. In development.
    public static let deviceModelIdentifier = "device.model.identifier"

    /// The model as it is sold.
    ///
    /// String, such as `iPhone 15 Pro`. In development.
    public static let deviceModelName = "device.model.name"

    /// The operating system's name.
    ///
    /// String, such as `iOS`. In development.
    public static let osName = "os.name"

    /// The operating system's version.
    ///
    /// String, such as `18.1`. In development.
    public static let osVersion = "os.version"

    /// The family of the operating system.
    ///
    /// String, such as `darwin`. In development.
    public static let osType = "os.type"

    /// The build of the operating system.
    ///
    /// String, such as `22B83`. In development.
    public static let osBuildID = "os.build_id"

    /// Name, version and build in one line, for people.
    ///
    /// String, such as `iOS Version 18.1 (Build 22B83)`. In development.
    public static let osDescription = "os.description"

    /// The architecture of the processor.
    ///
    /// String, such as `arm64`. In development.
    public static let hostArch = "host.arch"

    /// The state the app has just entered: `active`, `inactive`, `background`, `foreground` or `terminate`.
    ///
    /// String, such as `background`. In development.
    public static let iosAppState = "ios.app.state"
}
