package import DeviceLink
public import Foundation

/// Light or dark.
public enum ColorScheme: Hashable, CaseIterable, Sendable {
    case light
    case dark
}

/// The user's text size.
public enum DynamicTypeSize: Hashable, Comparable, CaseIterable, Sendable {
    case xSmall
    case small
    case medium
    case large
    case xLarge
    case xxLarge
    case xxxLarge
    case accessibility1
    case accessibility2
    case accessibility3
    case accessibility4
    case accessibility5

    public var isAccessibilitySize: Bool { self >= .accessibility1 }
}

/// The direction in which a language is written, and in which its screens are laid out.
public enum LayoutDirection: Hashable, CaseIterable, Sendable {
    case leftToRight
    case rightToLeft
}

/// The state of the app: in the foreground or not.
public enum ScenePhase: Comparable, Hashable, Sendable {
    case background
    case inactive
    case active
}

/// The settings of the device that views can read.
package struct DeviceTraits: Hashable, Sendable {
    package var colorScheme = ColorScheme.light
    package var dynamicTypeSize = DynamicTypeSize.large
    package var scenePhase = ScenePhase.active
    package var locale = Locale(identifier: "en_US")
    package var timeZone = TimeZone.current
    package var reduceMotion = false
    package var increasesContrast = false
    package var differentiatesWithoutColor = false
    /// The device, with the size of its screen.
    package var device = DeviceProfile.standard

    package init() {}

    var environment: EnvironmentValues {
        var values = EnvironmentValues()
        values.colorScheme = colorScheme
        values.dynamicTypeSize = dynamicTypeSize
        values.scenePhase = scenePhase
        values.locale = locale
        values.calendar = calendar
        values.timeZone = timeZone
        values.layoutDirection = Translations.main.direction(in: locale)
        values[ReduceMotionKey.self] = reduceMotion
        setDeviceValues(of: &values)
        return values
    }
}

private enum ColorSchemeKey: EnvironmentKey {
    static let defaultValue = ColorScheme.light
}

private enum DynamicTypeSizeKey: EnvironmentKey {
    static let defaultValue = DynamicTypeSize.large
}

private enum ScenePhaseKey: EnvironmentKey {
    static let defaultValue = ScenePhase.active
}

private enum LocaleKey: EnvironmentKey {
    static let defaultValue = Locale(identifier: "en_US")
}

private enum LayoutDirectionKey: EnvironmentKey {
    static let defaultValue = LayoutDirection.leftToRight
}

private enum ReduceMotionKey: EnvironmentKey {
    static let defaultValue = false
}

extension EnvironmentValues {
    public var colorScheme: ColorScheme {
        get { self[ColorSchemeKey.self] }
        set { self[ColorSchemeKey.self] = newValue }
    }

    public var dynamicTypeSize: DynamicTypeSize {
        get { self[DynamicTypeSizeKey.self] }
        set { self[DynamicTypeSizeKey.self] = newValue }
    }

    public var scenePhase: ScenePhase {
        get { self[ScenePhaseKey.self] }
        set { self[ScenePhaseKey.self] = newValue }
    }

    public var locale: Locale {
        get { self[LocaleKey.self] }
        set { self[LocaleKey.self] = newValue }
    }

    /// The direction of the language that the app shows.
    public var layoutDirection: LayoutDirection {
        get { self[LayoutDirectionKey.self] }
        set { self[LayoutDirectionKey.self] = newValue }
    }

    public var accessibilityReduceMotion: Bool { self[ReduceMotionKey.self] }
}

extension DynamicTypeSize {
    /// Apple's name of the content size category.
    package var name: String {
        switch self {
        case .xSmall: "xSmall"
        case .small: "small"
        case .medium: "medium"
        case .large: "large"
        case .xLarge: "xLarge"
        case .xxLarge: "xxLarge"
        case .xxxLarge: "xxxLarge"
        case .accessibility1: "accessibility1"
        case .accessibility2: "accessibility2"
        case .accessibility3: "accessibility3"
        case .accessibility4: "accessibility4"
        case .accessibility5: "accessibility5"
        }
    }

    package init?(name: String) {
        guard let size = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = size
    }
}
