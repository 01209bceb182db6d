extension Wireframe {
    /// Where an area is, or how it lies among the others where the platform does not tell.
    public struct Layout: Hashable, Sendable {
        /// On the screen.
        public var box: Box?
        public var padding: Insets?
        /// Points between the children.
        public var spacing: Double?
        /// Of the children: across a row or column, both ways in a layer.
        public var alignment: Alignment?
        /// Points, where they are fixed.
        public var width: Double?
        public var height: Double?
        /// Whether it takes the room that is left.
        public var grows = false
        /// Of a grid.
        public var columns: Int?

        public init() {}
    }

    /// How an area looks.
    public struct Style: Hashable, Sendable {
        /// Points of the font.
        public var fontSize: Double?
        public var isBold = false
        /// Of the area.
        public var fill: Color?
        /// Of what is written or drawn on it.
        public var ink: Color?
        /// Points of the corners.
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

    /// Points on each side.
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

    /// A name of the system's colors (`accent`, `background`, `red`) or `#rrggbb`, with `/40` for 40 % opacity.
    public struct Color: Hashable, Sendable {
        public let text: String

        /// `nil` for anything that is not such a name or number, so that no other text travels as a color.
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
