/// A color in the form in which it leaves the process: its name, its components or its mix, and its opacity.
struct ColorText: CustomStringConvertible {
    var base: String
    /// The opacity from 0 to 1.
    var share: Double

    init(base: String, share: Double) {
        self.base = base
        self.share = share
    }

    /// Reads a color such as "red", "#ff8800/40" or "mix(red/50|blue|40)/80".
    init(_ text: String) {
        let end = text.lastIndex(of: ")") ?? text.startIndex
        guard let slash = text[end...].lastIndex(of: "/"), let percent = Double(text[text.index(after: slash)...])
        else {
            self.init(base: text, share: 1)
            return
        }
        self.init(base: String(text[..<slash]), share: percent / 100)
    }

    var description: String { share == 1 ? base : base + "/" + String(Int((share * 100).rounded())) }
}

/// A mix of two colors.
struct ColorMix: Hashable, Sendable {
    let first: Color
    let second: Color
    /// The share of the second color, from 0 to 1.
    let share: Double
    let space: Gradient.ColorSpace

    /// The mix as the page reads it, such as "mix(red|blue|40)".
    func text(_ describe: (Color) -> String) -> String {
        let name = space == .perceptual ? "mix" : "mixRGB"
        return "\(name)(\(describe(first))|\(describe(second))|\(plain((share * 1000).rounded() / 10)))"
    }
}

extension Gradient {
    /// The space in which colors are mixed.
    public struct ColorSpace: Hashable, Sendable {
        private enum Kind: Hashable, Sendable {
            case device
            case perceptual
        }

        private let kind: Kind

        /// The components of the screen.
        public static let device = ColorSpace(kind: .device)
        /// A space in which equal distances look equal.
        public static let perceptual = ColorSpace(kind: .perceptual)
    }
}

extension Color {
    /// Returns a mix of both colors.
    ///
    /// - Parameter fraction: The share of the other color, from 0 to 1.
    @available(iOS 18, macOS 15, *)
    public func mix(with rhs: Color, by fraction: Double, in colorSpace: Gradient.ColorSpace = .perceptual) -> Color {
        Color(.mixed(ColorMix(first: self, second: rhs, share: min(max(fraction, 0), 1), space: colorSpace)))
    }
}
