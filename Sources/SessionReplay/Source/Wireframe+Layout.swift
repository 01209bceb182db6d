extension Wireframe {
    /// The position of an area, or its layout within its parent if the platform does not report positions.
    package struct Layout: Hashable, Sendable {
        /// The rectangle on the screen.
        package var box: Box?
        package var padding: Insets?
        /// Points between the children.
        package var spacing: Double?
        /// The alignment of the children: across a row or column, in both directions in a layer.
        package var alignment: Alignment?
        /// Points, if fixed.
        package var width: Double?
        package var height: Double?
        /// True if it takes the remaining space.
        package var grows = false
        /// The number of columns of a grid.
        package var columns: Int?

        package init() {}
    }

    /// The appearance of an area.
    package struct Style: Hashable, Sendable {
        /// Font size in points.
        package var fontSize: Double?
        package var isBold = false
        /// The background color.
        package var fill: Color?
        /// The color of the text or drawing.
        package var ink: Color?
        /// Corner radius in points.
        package var radius: Double?

        package init() {}
    }

    /// A rectangle in points.
    package struct Box: Hashable, Sendable {
        package var x: Double
        package var y: Double
        package var width: Double
        package var height: Double

        package init(x: Double, y: Double, width: Double, height: Double) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// Insets in points.
    package struct Insets: Hashable, Sendable {
        package var top: Double
        package var leading: Double
        package var bottom: Double
        package var trailing: Double

        package init(top: Double = 0, leading: Double = 0, bottom: Double = 0, trailing: Double = 0) {
            self.top = top
            self.leading = leading
            self.bottom = bottom
            self.trailing = trailing
        }
    }

    package enum Alignment: String, Hashable, Sendable, CaseIterable {
        case leading, center, trailing, top, bottom
        case topLeading = "top leading"
        case topTrailing = "top trailing"
        case bottomLeading = "bottom leading"
        case bottomTrailing = "bottom trailing"
    }

    /// A system color name (`accent`, `background`, `red`) or `#rrggbb`, with `/40` for 40 % opacity.
    package struct Color: Hashable, Sendable {
        package let text: String

        /// Creates a color; `nil` for anything else, so that no other text is recorded as a color.
        package init?(_ text: String) {
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
