public import Foundation

/// A color of UIKit, which views convert by `Color(uiColor:)`.
///
/// Partly: Components, the system's colors, and those of the asset catalog.
public final class UIColor: Hashable, Sendable {
    /// The same color in SwiftUI.
    let color: Color

    init(_ color: Color, alpha: Double = 1) {
        self.color = color.opacity(alpha)
    }

    /// Components from 0 to 1.
    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(Color(red: Double(red), green: Double(green), blue: Double(blue), opacity: Double(alpha)))
    }

    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(Color(white: Double(white), opacity: Double(alpha)))
    }

    public convenience init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
        self.init(
            Color(
                hue: Double(hue), saturation: Double(saturation), brightness: Double(brightness),
                opacity: Double(alpha)))
    }

    /// Creates a color of the asset catalog; `nil` if there is none of this name.
    public convenience init?(named name: String) {
        guard Assets.main.colors[name] != nil else { return nil }
        self.init(Color(name))
    }

    public convenience init(_ color: Color) {
        self.init(color, alpha: 1)
    }

    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor { UIColor(color.withAlpha(Double(alpha))) }

    public static func == (left: UIColor, right: UIColor) -> Bool { left.color == right.color }
    public func hash(into hasher: inout Hasher) { hasher.combine(color) }
}

extension Color {
    public init(uiColor: UIColor) {
        self = uiColor.color
    }

    public init(_ color: UIColor) {
        self = color.color
    }
}

extension UIColor {
    private convenience init(_ light: Int, _ dark: Int, _ lightAlpha: Double = 1, _ darkAlpha: Double? = nil) {
        self.init(
            Color(light: Color(hex: light, lightAlpha), dark: Color(hex: dark, darkAlpha ?? lightAlpha)), alpha: 1)
    }

    public static let clear = UIColor(white: 0, alpha: 0)
    public static let black = UIColor(white: 0, alpha: 1)
    public static let white = UIColor(white: 1, alpha: 1)
    public static let gray = UIColor(white: 0.5, alpha: 1)
    public static let lightGray = UIColor(white: 2 / 3, alpha: 1)
    public static let darkGray = UIColor(white: 1 / 3, alpha: 1)
    public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
    public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
    public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
    public static let yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1)
    public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
    public static let purple = UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1)
    public static let brown = UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1)
    public static let cyan = UIColor(red: 0, green: 1, blue: 1, alpha: 1)
    public static let magenta = UIColor(red: 1, green: 0, blue: 1, alpha: 1)

    public static let systemRed = UIColor(Color.red)
    public static let systemOrange = UIColor(Color.orange)
    public static let systemYellow = UIColor(Color.yellow)
    public static let systemGreen = UIColor(Color.green)
    public static let systemMint = UIColor(Color.mint)
    public static let systemTeal = UIColor(Color.teal)
    public static let systemCyan = UIColor(Color.cyan)
    public static let systemBlue = UIColor(Color.blue)
    public static let systemIndigo = UIColor(Color.indigo)
    public static let systemPurple = UIColor(Color.purple)
    public static let systemPink = UIColor(Color.pink)
    public static let systemBrown = UIColor(Color.brown)
    // swift-format-ignore: DontRepeatTypeInStaticProperties
    public static let tintColor = UIColor(Color.accentColor)

    // The values are those of Apple's Human Interface Guidelines for iOS, "Color".
    public static let systemGray = UIColor(0x8E_8E93, 0x8E_8E93)
    public static let systemGray2 = UIColor(0xAE_AEB2, 0x63_6366)
    public static let systemGray3 = UIColor(0xC7_C7CC, 0x48_484A)
    public static let systemGray4 = UIColor(0xD1_D1D6, 0x3A_3A3C)
    public static let systemGray5 = UIColor(0xE5_E5EA, 0x2C_2C2E)
    public static let systemGray6 = UIColor(0xF2_F2F7, 0x1C_1C1E)
    public static let systemBackground = UIColor(0xFF_FFFF, 0x00_0000)
    public static let secondarySystemBackground = UIColor(0xF2_F2F7, 0x1C_1C1E)
    public static let tertiarySystemBackground = UIColor(0xFF_FFFF, 0x2C_2C2E)
    public static let systemGroupedBackground = UIColor(0xF2_F2F7, 0x00_0000)
    public static let secondarySystemGroupedBackground = UIColor(0xFF_FFFF, 0x1C_1C1E)
    public static let tertiarySystemGroupedBackground = UIColor(0xF2_F2F7, 0x2C_2C2E)
    public static let label = UIColor(0x00_0000, 0xFF_FFFF)
    public static let secondaryLabel = UIColor(0x3C_3C43, 0xEB_EBF5, 0.6)
    public static let tertiaryLabel = UIColor(0x3C_3C43, 0xEB_EBF5, 0.3)
    public static let quaternaryLabel = UIColor(0x3C_3C43, 0xEB_EBF5, 0.18, 0.16)
    public static let placeholderText = UIColor(0x3C_3C43, 0xEB_EBF5, 0.3)
    public static let separator = UIColor(0x3C_3C43, 0x54_5458, 0.29, 0.6)
    public static let opaqueSeparator = UIColor(0xC6_C6C8, 0x38_383A)
    public static let link = UIColor(0x00_7AFF, 0x09_84FF)
    public static let systemFill = UIColor(0x78_7880, 0x78_7880, 0.2, 0.36)
    public static let secondarySystemFill = UIColor(0x78_7880, 0x78_7880, 0.16, 0.32)
    public static let tertiarySystemFill = UIColor(0x76_7680, 0x76_7680, 0.12, 0.24)
    public static let quaternarySystemFill = UIColor(0x74_7480, 0x76_7680, 0.08, 0.18)
}
