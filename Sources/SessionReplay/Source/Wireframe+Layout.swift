extension Wireframe {
    /// The position of an area, or its layout within its parent if the platform does not report positions.
    public struct Layout: Hashable, Sendable {
        /// The rectangle on the screen.
        public var box: Box?
        public var padding: Insets?
        /// Points between the children.
        public var spacing: Double?
        /// The alignment of the children: across a row or column, in both directions in a layer.
        public var alignment: Alignment?
        /// Points, if fixed.
        public var width: Double?
        public var height: Double?
        /// Whether it takes the remaining space.
        public var grows = false
        /// The number of columns of a grid.
        public var columns: Int?

        public init() {}
    }

    /// The appearance of an area.
    public struct Style: Hashable, Sendable {
        /// Font size in points.
        public var fontSize: Double?
        public var isBold = false
        /// The background color.
        public var fill: Color?
        /// The color of the text or drawing.
        public var ink: Color?
        /// Corner radius in points.
        public var radius: Double?

        public init() {}
    }

    /// A rectangle in points.
    public struct Box: Hashable, Sendable {
        public var x: Double
        public var y: Double
        public var width: Double
        public var height: Double

        public init(x: Double, y: Double, width: Double, height: Double) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// Insets in points.
    public struct Insets: Hashable, Sendable {
        public var top: Double
        public var leading: Double
        public var bottom: Double
        public var trailing: Double

        public init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
            self.top = top
            self.leading = leading
            self.bottom = bottom
            self.trailing = trailing
        }
    }

    public enum Alignment: String, Hashable, Sendable, CaseIterable {
        case leading, center, trailing, top, bottom
        case topLeading = "top leading"
        case topTrailing = "top trailing"
        case bottomLeading = "bottom leading"
        case bottomTrailing = "bottom trailing"
    }

    /// A system color name (`accent`, `background`, `red`) or `#rrggbb`, with `/40` for 40 % opacity.
    public struct Color: Hashable, Sendable {
        public let text: String

        /// Creates a color; `nil` for anything else, so that no other text is recorded as a color.
        public init?(_ text: String) {
            let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
            guard let base = parts.first, Self.isName(base) || Self.isNumber(base) else { return nil }
            if parts.count == 2 {
                guard let percent = Int(String(parts[1]) ?? ""), (0...100).contains(percent) else { return nil }
            }
            self.text = text
        }

        private static let names: Set<String> = [
            "primary", "secondary", "tertiary", "accent", "background", "gray", "red", "orange", "yellow", "green",
            "mint", "teal", "cyan", "blue", "indigo", "purple", "pink", "brown", "white", "black",
        ]

        private static func isName(_ text: Substring.UTF8View) -> Bool { names.contains(String(text) ?? "") }

        private static func isNumber(_ text: Substring.UTF8View) -> Bool {
            text.count == 7 && text.first == UInt8(ascii: "#")
                && text.dropFirst().allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
                }
        }
    }
}
