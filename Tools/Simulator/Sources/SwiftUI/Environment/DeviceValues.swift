import DeviceLink
public import Foundation

/// The class of the room that a screen has in one direction.
public enum UserInterfaceSizeClass: Hashable, Sendable {
    case compact
    case regular
}

/// The contrast that the user wants.
public enum ColorSchemeContrast: Hashable, CaseIterable, Sendable {
    case standard
    case increased
}

private enum HorizontalSizeClassKey: EnvironmentKey {
    static let defaultValue: UserInterfaceSizeClass? = .compact
}

private enum VerticalSizeClassKey: EnvironmentKey {
    static let defaultValue: UserInterfaceSizeClass? = .regular
}

private enum DisplayScaleKey: EnvironmentKey {
    static let defaultValue: CGFloat = 3
}

private enum ContrastKey: EnvironmentKey {
    static let defaultValue = ColorSchemeContrast.standard
}

private enum DeviceKey: EnvironmentKey {
    static let defaultValue = DeviceProfile.standard
}

private enum DifferentiateWithoutColorKey: EnvironmentKey {
    static let defaultValue = false
}

extension EnvironmentValues {
    /// Compact on an iPhone, except for a Pro Max in landscape. Regular on an iPad.
    public var horizontalSizeClass: UserInterfaceSizeClass? {
        get { self[HorizontalSizeClassKey.self] }
        set { self[HorizontalSizeClassKey.self] = newValue }
    }

    /// Compact on an iPhone in landscape, and otherwise regular.
    public var verticalSizeClass: UserInterfaceSizeClass? {
        get { self[VerticalSizeClassKey.self] }
        set { self[VerticalSizeClassKey.self] = newValue }
    }

    /// The pixels of a point.
    public var displayScale: CGFloat {
        get { self[DisplayScaleKey.self] }
        set { self[DisplayScaleKey.self] = newValue }
    }

    public var colorSchemeContrast: ColorSchemeContrast { self[ContrastKey.self] }

    public var accessibilityDifferentiateWithoutColor: Bool { self[DifferentiateWithoutColorKey.self] }

    /// False: the phone's VoiceOver reads the screen from outside of the app, and no app of it runs.
    public var accessibilityVoiceOverEnabled: Bool { false }
    public var accessibilitySwitchControlEnabled: Bool { false }
    public var accessibilityReduceTransparency: Bool { false }
    public var accessibilityInvertColors: Bool { false }
    public var accessibilityShowButtonShapes: Bool { false }

    var device: DeviceProfile { self[DeviceKey.self] }
}

extension DeviceTraits {
    /// The size of the screen in points.
    package var screenSize: CGSize { CGSize(width: device.width, height: device.height) }

    /// The width in points above which an iPhone in landscape is regular across. Smaller ones are compact.
    private static let widestCompact = 895

    /// Sets the values that depend on the device and on the settings of accessibility.
    func setDeviceValues(of values: inout EnvironmentValues) {
        values[DeviceKey.self] = device
        values.horizontalSizeClass = device.isPad || device.width > Self.widestCompact ? .regular : .compact
        values.verticalSizeClass = device.isPad || !device.isLandscape ? .regular : .compact
        values.displayScale = CGFloat(device.scale)
        values[ContrastKey.self] = increasesContrast ? .increased : .standard
        values[DifferentiateWithoutColorKey.self] = differentiatesWithoutColor
    }
}
