public import Foundation

/// A font: a text style that follows the user's text size, or a fixed size.
public struct Font: Hashable, Sendable {
    public enum TextStyle: Hashable, CaseIterable, Sendable {
        case largeTitle
        case title
        case title2
        case title3
        case headline
        case subheadline
        case body
        case callout
        case footnote
        case caption
        case caption2
    }

    public enum Design: Hashable, Sendable {
        case `default`
        case serif
        case rounded
        case monospaced
    }

    public struct Weight: Hashable, Sendable {
        /// The weight as in CSS, from 100 to 900.
        let value: Int

        public static let ultraLight = Weight(value: 100)
        public static let thin = Weight(value: 200)
        public static let light = Weight(value: 300)
        public static let regular = Weight(value: 400)
        public static let medium = Weight(value: 500)
        public static let semibold = Weight(value: 600)
        public static let bold = Weight(value: 700)
        public static let heavy = Weight(value: 800)
        public static let black = Weight(value: 900)
    }

    enum Size: Hashable, Sendable {
        case style(TextStyle)
        case points(Double)
    }

    var size: Size
    var fontDesign = Design.default
    var fontWeight: Weight?
    var isItalic = false
    var hasMonospacedDigits = false

    init(_ size: Size) {
        self.size = size
    }

    public static let largeTitle = Font(.style(.largeTitle))
    public static let title = Font(.style(.title))
    public static let title2 = Font(.style(.title2))
    public static let title3 = Font(.style(.title3))
    public static let headline = Font(.style(.headline))
    public static let subheadline = Font(.style(.subheadline))
    public static let body = Font(.style(.body))
    public static let callout = Font(.style(.callout))
    public static let footnote = Font(.style(.footnote))
    public static let caption = Font(.style(.caption))
    public static let caption2 = Font(.style(.caption2))

    public static func system(_ style: TextStyle, design: Design = .default) -> Font {
        var font = Font(.style(style))
        font.fontDesign = design
        return font
    }

    /// Creates a font of a fixed size in points.
    public static func system(size: CGFloat, weight: Weight = .regular, design: Design = .default) -> Font {
        var font = Font(.points(Double(size)))
        font.fontDesign = design
        font.fontWeight = weight
        return font
    }

    /// Creates the system's font of a text style, with a weight.
    public static func system(_ style: TextStyle, design: Design? = nil, weight: Weight? = nil) -> Font {
        var font = Font(.style(style))
        font.fontDesign = design ?? .default
        font.fontWeight = weight
        return font
    }

    public func weight(_ weight: Weight) -> Font { changed { $0.fontWeight = weight } }
    public func bold() -> Font { weight(.bold) }
    public func italic() -> Font { changed { $0.isItalic = true } }
    public func monospacedDigit() -> Font { changed { $0.hasMonospacedDigits = true } }
    public func monospaced() -> Font { changed { $0.fontDesign = .monospaced } }

    private func changed(_ change: (inout Font) -> Void) -> Font {
        var copy = self
        change(&copy)
        return copy
    }
}

extension Font {
    @available(*, unavailable, message: "SwiftUI on Linux lacks Font.custom. Use Font.system with a design.")
    public static func custom(_ name: String, size: CGFloat) -> Font { .body }

    @available(*, unavailable, message: "SwiftUI on Linux lacks Font.custom. Use Font.system with a design.")
    public static func custom(_ name: String, size: CGFloat, relativeTo textStyle: TextStyle) -> Font { .body }

    @available(*, unavailable, message: "SwiftUI on Linux lacks Font.custom. Use Font.system with a design.")
    public static func custom(_ name: String, fixedSize: CGFloat) -> Font { .body }

    /// The size in points at the user's text size.
    ///
    /// The sizes are from Apple's Human Interface Guidelines for iOS, "Typography".
    func points(at size: DynamicTypeSize) -> Double {
        switch self.size {
        case .points(let points): points
        case .style(let style): style.points[DynamicTypeSize.allCases.firstIndex(of: size) ?? 3]
        }
    }

    var styleName: String? {
        if case .style(let style) = size { String(describing: style) } else { nil }
    }

    var weightValue: Int {
        fontWeight?.value ?? (size == .style(.headline) ? Weight.semibold.value : Weight.regular.value)
    }
}

extension Font.TextStyle {
    /// The sizes from `xSmall` to `accessibility5`.
    fileprivate var points: [Double] {
        switch self {
        case .largeTitle: [31, 32, 33, 34, 36, 38, 40, 44, 48, 52, 56, 60]
        case .title: [25, 26, 27, 28, 30, 32, 34, 38, 43, 48, 53, 58]
        case .title2: [19, 20, 21, 22, 24, 26, 28, 34, 39, 44, 50, 56]
        case .title3: [17, 18, 19, 20, 22, 24, 26, 31, 37, 43, 49, 55]
        case .headline, .body: [14, 15, 16, 17, 19, 21, 23, 28, 33, 40, 47, 53]
        case .callout: [13, 14, 15, 16, 18, 20, 22, 26, 32, 38, 44, 51]
        case .subheadline: [12, 13, 14, 15, 17, 19, 21, 25, 30, 36, 42, 49]
        case .footnote: [12, 12, 12, 13, 15, 17, 19, 23, 27, 33, 38, 44]
        case .caption: [11, 11, 11, 12, 14, 16, 18, 22, 26, 32, 37, 43]
        case .caption2: [11, 11, 11, 11, 13, 15, 17, 20, 24, 29, 34, 40]
        }
    }
}

extension View {
    public func font(_ font: Font?) -> some View { environment(\.font, font) }

    public func fontWeight(_ weight: Font.Weight?) -> some View {
        environment(\.textAttributes.weight, weight)
    }

    public func bold(_ isActive: Bool = true) -> some View { environment(\.textAttributes.isBold, isActive) }
    public func italic(_ isActive: Bool = true) -> some View { environment(\.textAttributes.isItalic, isActive) }

    public func underline(_ isActive: Bool = true, color: Color? = nil) -> some View {
        modifier(
            EnvironmentModifier {
                $0.textAttributes.isUnderlined = isActive
                $0.textAttributes.lineColor = color ?? $0.textAttributes.lineColor
            })
    }

    public func strikethrough(_ isActive: Bool = true, color: Color? = nil) -> some View {
        modifier(
            EnvironmentModifier {
                $0.textAttributes.isStruckThrough = isActive
                $0.textAttributes.lineColor = color ?? $0.textAttributes.lineColor
            })
    }

    /// Sets the design of the fonts here that have none of their own.
    @available(iOS 16.1, macOS 13, *)
    public func fontDesign(_ design: Font.Design?) -> some View { environment(\.textAttributes.design, design) }

    public func monospacedDigit() -> some View { environment(\.textAttributes.isMonospacedDigit, true) }

    public func kerning(_ kerning: CGFloat) -> some View { environment(\.textAttributes.kerning, Double(kerning)) }
    public func tracking(_ tracking: CGFloat) -> some View { environment(\.textAttributes.tracking, Double(tracking)) }
    public func baselineOffset(_ baselineOffset: CGFloat) -> some View {
        environment(\.textAttributes.baselineOffset, Double(baselineOffset))
    }

    public func lineLimit(_ number: Int?) -> some View { lines(nil, number) }
    public func lineLimit(_ limit: PartialRangeFrom<Int>) -> some View { lines(limit.lowerBound, nil) }
    public func lineLimit(_ limit: PartialRangeThrough<Int>) -> some View { lines(nil, limit.upperBound) }
    public func lineLimit(_ limit: ClosedRange<Int>) -> some View { lines(limit.lowerBound, limit.upperBound) }

    /// - Parameter reservesSpace: Whether a shorter text is as high as one with all lines.
    public func lineLimit(_ limit: Int, reservesSpace: Bool) -> some View { lines(reservesSpace ? limit : nil, limit) }

    private func lines(_ least: Int?, _ most: Int?) -> some View {
        environment(\.lineLimit, most).environment(\.textAttributes.leastLines, least)
    }

    public func lineSpacing(_ lineSpacing: CGFloat) -> some View {
        environment(\.textAttributes.lineSpacing, Double(lineSpacing))
    }

    public func minimumScaleFactor(_ factor: CGFloat) -> some View {
        environment(\.textAttributes.minimumScaleFactor, Double(factor))
    }

    public func truncationMode(_ mode: Text.TruncationMode) -> some View {
        environment(\.textAttributes.truncation, mode)
    }

    public func textCase(_ textCase: Text.Case?) -> some View {
        environment(\.textAttributes.letterCase, textCase)
    }

    /// Sets the text size, regardless of the user's setting.
    public func dynamicTypeSize(_ size: DynamicTypeSize) -> some View { environment(\.dynamicTypeSize, size) }

    /// Limits the text size. The user's setting applies inside the range.
    public func dynamicTypeSize<R: RangeExpression<DynamicTypeSize>>(_ range: R) -> some View {
        modifier(
            EnvironmentModifier { values in
                let sizes = DynamicTypeSize.allCases.filter(range.contains)
                guard let least = sizes.first, let most = sizes.last else { return }
                values.dynamicTypeSize = min(max(values.dynamicTypeSize, least), most)
            })
    }

    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        environment(\.multilineTextAlignment, alignment)
    }
}
