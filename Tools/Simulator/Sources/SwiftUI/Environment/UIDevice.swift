/// Facts about the phone that apps read.
///
/// Partly: Constant facts of an iPhone with iOS 16.
@MainActor
public final class UIDevice: Sendable {
    public static let current = UIDevice()

    public let name = "iPhone"
    public let model = "iPhone"
    public let localizedModel = "iPhone"
    public let systemName = "iOS"
    public let systemVersion = "16.0"
    public let userInterfaceIdiom = UIUserInterfaceIdiom.phone
}

/// The kind of a device.
public enum UIUserInterfaceIdiom: Int, Sendable {
    case unspecified = -1
    case phone
    case pad
}
