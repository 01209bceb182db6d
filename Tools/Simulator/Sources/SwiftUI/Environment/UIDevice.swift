import DeviceLink

/// Facts about the phone that apps read.
///
/// Partly: The kind of device, and constant facts of iOS 16.
@MainActor
public final class UIDevice: Sendable {
    public static let current = UIDevice()

    public var name: String { model }
    public var model: String { ThisDevice.profile.isPad ? "iPad" : "iPhone" }
    public var localizedModel: String { model }
    public var systemName: String { ThisDevice.profile.system }
    public let systemVersion = "16.0"
    public var userInterfaceIdiom: UIUserInterfaceIdiom { ThisDevice.profile.isPad ? .pad : .phone }
}

/// The kind of a device.
public enum UIUserInterfaceIdiom: Int, Sendable {
    case unspecified = -1
    case phone
    case pad
}
