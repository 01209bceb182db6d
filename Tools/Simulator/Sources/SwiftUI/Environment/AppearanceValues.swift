/// The values that views without children read when they are rendered.
extension EnvironmentValues {
    private enum IsEnabledKey: EnvironmentKey {
        static let defaultValue = true
    }

    private enum FontKey: EnvironmentKey {
        static let defaultValue: Font? = nil
    }

    private enum ForegroundKey: EnvironmentKey {
        static let defaultValue: ForegroundLevels? = nil
    }

    private enum TintKey: EnvironmentKey {
        static let defaultValue: Color? = nil
    }

    private enum LineLimitKey: EnvironmentKey {
        static let defaultValue: Int? = nil
    }

    private enum AlignmentKey: EnvironmentKey {
        static let defaultValue = TextAlignment.leading
    }

    private enum TextStyleKey: EnvironmentKey {
        static let defaultValue = TextAttributes()
    }

    /// True if the controls here are enabled.
    public var isEnabled: Bool {
        get { self[IsEnabledKey.self] }
        set { self[IsEnabledKey.self] = newValue }
    }

    public var font: Font? {
        get { self[FontKey.self] }
        set { self[FontKey.self] = newValue }
    }

    public var lineLimit: Int? {
        get { self[LineLimitKey.self] }
        set { self[LineLimitKey.self] = newValue }
    }

    public var multilineTextAlignment: TextAlignment {
        get { self[AlignmentKey.self] }
        set { self[AlignmentKey.self] = newValue }
    }

    var foreground: ForegroundLevels? {
        get { self[ForegroundKey.self] }
        set { self[ForegroundKey.self] = newValue }
    }

    var tint: Color? {
        get { self[TintKey.self] }
        set { self[TintKey.self] = newValue }
    }

    var textAttributes: TextAttributes {
        get { self[TextStyleKey.self] }
        set { self[TextStyleKey.self] = newValue }
    }
}

/// The alignment of the lines of a text.
public enum TextAlignment: Hashable, CaseIterable, Sendable {
    case leading
    case center
    case trailing
}

/// The font attributes that modifiers around a text set.
struct TextAttributes: Hashable, Sendable {
    var isBold = false
    var isItalic = false
    var weight: Font.Weight?
    var isUnderlined = false
    var isStruckThrough = false
    /// The color of the lines through and under the text; `nil` for that of the text.
    var lineColor: Color?
    var design: Font.Design?
    var isMonospacedDigit = false
    var minimumScaleFactor = 1.0
    var truncation: Text.TruncationMode = .tail
    var letterCase: Text.Case?
    var lineSpacing = 0.0
    /// The number of lines whose height a shorter text has.
    var leastLines: Int?
    /// Points between letters. Tracking replaces kerning.
    var tracking: Double?
    var kerning: Double?
    /// Points above the baseline.
    var baselineOffset = 0.0

    var letterSpacing: Double { tracking ?? kerning ?? 0 }
}

/// The colors of the styles `primary`, `secondary` and `tertiary` here.
struct ForegroundLevels: Hashable, Sendable {
    var primary: Color
    var secondary: Color?
    var tertiary: Color?
}
