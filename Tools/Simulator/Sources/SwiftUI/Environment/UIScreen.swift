import DeviceLink
public import Foundation

/// The screen of the phone.
///
/// Partly: `main` with its size and scale.
@MainActor
public final class UIScreen: Sendable {
    public static let main = UIScreen()

    private init() {}

    /// The size in points, at the origin.
    public var bounds: CGRect {
        CGRect(x: 0, y: 0, width: ThisDevice.profile.width, height: ThisDevice.profile.height)
    }

    /// The size in pixels of the upright screen.
    public var nativeBounds: CGRect {
        let (short, long) = (min(bounds.width, bounds.height), max(bounds.width, bounds.height))
        return CGRect(x: 0, y: 0, width: short * scale, height: long * scale)
    }

    /// The pixels of a point.
    public var scale: CGFloat { CGFloat(ThisDevice.profile.scale) }
    public var nativeScale: CGFloat { scale }
}

/// The device that the app of this process runs on.
enum ThisDevice {
    private static let installed = MutexValue(DeviceProfile.standard)

    static var profile: DeviceProfile { installed.value }

    /// Sets the device: before the app's first view, and when it is turned. Another device is another process.
    static func install(_ profile: DeviceProfile) {
        installed.update { $0 = profile }
    }
}
