/// The SF Symbols that the page draws.
///
/// `NodeKindTests` compares the names with those of `Assets/phone/symbols.js`.
package enum SymbolNames {
    package static let drawn: Set<String> = [
        "airplane", "alarm", "archivebox", "arrow.clockwise", "arrow.counterclockwise", "arrow.down",
        "arrow.down.left", "arrow.left", "arrow.left.arrow.right", "arrow.right", "arrow.triangle.2.circlepath",
        "arrow.up", "arrow.up.arrow.down", "arrow.up.right", "arrow.uturn.left", "backward", "bag", "banknote",
        "barcode", "battery.100", "bell", "bicycle", "bolt", "bolt.trianglebadge.exclamationmark", "book", "bookmark",
        "bubble.left", "bubble.left.and.bubble.right", "building.2", "calendar", "camera", "car", "cart",
        "cart.badge.plus", "cart.fill", "chart.bar", "chart.line.uptrend.xyaxis", "chart.pie", "checkmark",
        "checkmark.circle", "checkmark.circle.fill", "chevron.down", "chevron.left", "chevron.right", "chevron.up",
        "chevron.up.chevron.down", "circle", "clock", "cloud", "cloud.rain", "cloud.sun", "cpu", "creditcard",
        "cross", "crown", "cube", "cup.and.saucer", "desktopcomputer", "doc", "doc.on.doc", "doc.text", "dollarsign",
        "dot.radiowaves.left.and.right", "drop", "ellipsis", "envelope", "eurosign", "exclamationmark",
        "exclamationmark.circle", "exclamationmark.triangle", "exclamationmark.triangle.fill", "eye", "face.smiling",
        "figure.walk", "flag", "flame", "folder", "fork.knife", "forward", "gamecontroller", "gear", "gearshape",
        "gift", "globe", "graduationcap", "hammer", "hand.raised", "hand.tap", "hand.thumbsdown", "hand.thumbsup",
        "headphones", "heart", "hourglass", "house", "info.circle", "iphone", "key", "leaf", "lightbulb",
        "line.3.horizontal", "line.3.horizontal.decrease", "link", "list.bullet", "list.dash", "list.number",
        "location", "lock", "lock.open", "magnifyingglass", "map", "mappin", "mappin.and.ellipse", "megaphone",
        "message", "mic", "minus", "moon", "moon.stars.fill", "music.note", "newspaper", "number", "paintbrush",
        "paperclip", "paperplane", "pause", "pawprint", "pencil", "percent", "person", "person.2", "person.3",
        "person.badge.plus", "person.crop.circle", "phone", "photo", "play", "plus",
        "point.3.connected.trianglepath.dotted", "power", "printer", "qrcode", "questionmark", "rectangle",
        "rectangle.portrait.and.arrow.right", "rectangle.stack", "scissors", "shippingbox", "sidebar.left",
        "slider.horizontal.3",
        "snowflake", "sparkles", "speaker", "speaker.wave.2", "square", "square.and.arrow.down",
        "square.and.arrow.up", "square.and.arrow.up.on.square", "square.and.pencil", "square.grid.2x2",
        "square.stack", "star", "star.fill", "stop", "stopwatch", "sun.max", "tag", "textformat", "thermometer",
        "ticket", "timer", "trash", "tray", "triangle", "trophy", "umbrella", "video", "waveform", "wifi",
        "wifi.exclamationmark", "wifi.slash", "wind", "wrench", "xmark", "xmark.circle.fill", "xmark.octagon.fill",
    ]

    /// The endings for which the page draws a variant of another symbol.
    package static let variants = [".fill", ".circle", ".square", ".slash"]

    /// Returns true if the page draws a symbol, or the variant of one, such as `heart.circle.fill`.
    package static func isDrawn(_ name: String) -> Bool {
        if drawn.contains(name) { return true }
        guard let variant = variants.first(where: name.hasSuffix) else { return false }
        return isDrawn(String(name.dropLast(variant.count)))
    }
}
