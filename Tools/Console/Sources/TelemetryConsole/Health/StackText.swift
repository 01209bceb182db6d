import AstrolabeSemantics
import AstrolabeTelemetryModel
import Foundation

/// The stack of an `exception.stacktrace`: of Java, Kotlin, JavaScript, Python, Apple's symbols, or MetricKit's JSON.
///
/// The text is untrusted input. Lines that are not understood, and what is beyond the limits, are left out.
struct StackText {
    struct Frame: Equatable {
        let name: String
        let file: String
        let line: Int
        let isPlatform: Bool
    }

    /// The frames of the innermost cause, innermost first.
    let frames: [Frame]
    private let type: String
    private let message: String

    private static let byteLimit = 262_144
    static let frameLimit = 256
    static let lineLimit = 1_024

    init(_ attributes: Attributes) {
        func text(_ key: String) -> String { attributes[key]?.stringValue ?? "" }
        type = text(AttributeKey.exceptionType)
        message = text(AttributeKey.exceptionMessage)
        frames = Self.frames(text(AttributeKey.exceptionStacktrace))
    }

    /// Reads the stack of a report without addresses; `nil` if the report has addresses, or if there is no stack.
    init?(_ attributes: Attributes, unless report: ReadReport) {
        guard report.threads.isEmpty, report.samples.isEmpty else { return nil }
        self.init(attributes)
        guard hasContents else { return nil }
    }

    var hasContents: Bool { !frames.isEmpty || !type.isEmpty && !message.isEmpty }

    /// The app's own frames, or all if it has none.
    var spots: [Frame] {
        let own = frames.filter { !$0.isPlatform }
        return own.isEmpty ? frames : own
    }

    /// The words that crashes and hangs with the same cause share: the type and the functions, or without a stack the
    /// message.
    ///
    /// Numbers are left out, because compilers number lambdas and chunks differently in each build. An offset stays.
    var words: [String] {
        var seen: Set<String> = []
        let names = spots.map { $0.name.contains(" + 0x") ? $0.name : Self.withoutNumbers($0.name) }.filter {
            seen.insert($0).inserted
        }
        return [type] + (names.isEmpty ? [Self.withoutNumbers(message)] : names)
    }

    var title: String {
        let short = type.split(separator: ".").last.map(String.init) ?? "Crash"
        return message.isEmpty ? short : "\(short): \(message)"
    }

    private static func withoutNumbers(_ text: String) -> String {
        String(text.prefix(lineLimit).filter { !("0"..."9").contains($0) })
    }

    static func frames(_ text: String) -> [Frame] {
        let text = String(decoding: text.utf8.prefix(byteLimit), as: UTF8.self)
        if text.hasPrefix("{") { return metricKitFrames(text) }
        if text.contains(pythonHead) { return pythonFrames(text) }
        let lines =
            text.hasPrefix("[")
            ? (json(text) as? [Any])?.compactMap { $0 as? String } ?? []
            : text.split(whereSeparator: \.isNewline).map(String.init)
        var frames: [Frame] = []
        var isSuppressed = false
        for line in lines {
            if line.hasPrefix("Caused by:") {
                frames = []
                isSuppressed = false
            } else if line.hasPrefix("\tSuppressed:") {
                // What closing a resource threw on the way out is not the cause.
                isSuppressed = true
            } else if !isSuppressed, frames.count < frameLimit, let frame = frame(line.prefix(lineLimit)) {
                frames.append(frame)
            }
        }
        return frames
    }

    private static func frame(_ line: Substring) -> Frame? {
        let words = line.drop { $0 == " " || $0 == "\t" }
        let rest = words.hasPrefix("at ") ? words.dropFirst(3) : words
        if rest.last == ")", let open = rest.lastIndex(of: "(") {
            let place = rest[rest.index(after: open)...].dropLast()
            let name = functionName(rest[..<open])
            // Without "at", a sentence may end with a parenthesis too.
            guard !name.isEmpty, rest != words || name.contains(".") && !name.contains(" ") else { return nil }
            let isScript = place.contains("/") || place.contains("<anonymous>") || hasLineAndColumn(place)
            return isScript ? scriptFrame(String(name), place) : javaFrame(name, place)
        }
        if rest != words, rest.contains(":") { return scriptFrame("", functionName(rest)) }
        if let at = rest.firstIndex(of: "@"), hasLineAndColumn(rest[at...]) {
            return scriptFrame(String(rest[..<at]), rest[rest.index(after: at)...])
        }
        return appleFrame(words)
    }

    /// Returns a name without `async` before it and without spaces behind it.
    private static func functionName(_ text: Substring) -> Substring {
        var name = text.hasPrefix("async ") ? text.dropFirst(6) : text
        while name.last == " " { name.removeLast() }
        return name
    }

    /// Returns true if a place ends with a line and a column, such as `app.js:10:5`.
    private static func hasLineAndColumn(_ place: Substring) -> Bool {
        let parts = place.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count > 2 && parts.suffix(2).allSatisfy { Int($0) != nil }
    }

    /// A frame of Java or Kotlin.
    ///
    /// The name may begin with a class loader and a module, as in `app//com.shop.Pay.confirm`. That of a lambda's class
    /// ends with an address.
    private static func javaFrame(_ name: Substring, _ place: Substring) -> Frame {
        let last = name.split(separator: "/").last ?? name
        let function = last.hasPrefix("0x") ? name : last
        let parts = place.split(separator: ":", maxSplits: 1)
        return Frame(
            name: String(function), file: String(parts.first ?? ""), line: parts.count > 1 ? Int(parts[1]) ?? 0 : 0,
            isPlatform: platformPackages.contains { function.hasPrefix($0) })
    }

    /// A frame with a place such as `https://shop.example/app.js:10:5`.
    private static func scriptFrame(_ name: String, _ place: Substring) -> Frame? {
        var parts = place.split(separator: ":", omittingEmptySubsequences: false)
        var numbers: [Int] = []
        while numbers.count < 2, let last = parts.last, let number = Int(last) {
            numbers.insert(number, at: 0)
            parts.removeLast()
        }
        let file = parts.joined(separator: ":").prefix { $0 != "?" && $0 != "#" }
        let fileName = file.split(separator: "/").last.map(String.init) ?? ""
        guard !fileName.isEmpty else { return nil }
        return Frame(
            name: name.isEmpty ? fileName : name, file: fileName, line: numbers.first ?? 0,
            isPlatform: file.contains("node_modules/") || file.contains("-extension:") || file == "<anonymous>"
                || file == "native" || file.hasPrefix("node:"))
    }

    /// A line of `callStackSymbols`: number, image, address, symbol, `+` and offset.
    private static func appleFrame(_ line: Substring) -> Frame? {
        let parts = line.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count >= 4, Int(parts[0]) != nil, parts[2].hasPrefix("0x") else { return nil }
        let symbol = parts[3...].joined(separator: " ")
        let name = symbol.range(of: " + ").map { String(symbol[..<$0.lowerBound]) } ?? symbol
        return Frame(name: name, file: "", line: 0, isPlatform: isAppleImage(parts[1]))
    }

    /// MetricKit's tree: the thread to which the crash or hang is attributed, flat or by `subFrames`.
    private static func metricKitFrames(_ text: String) -> [Frame] {
        let tree = json(text) as? [String: Any]
        let stacks = tree?["callStacks"] as? [[String: Any]] ?? []
        guard let stack = stacks.first(where: { $0["threadAttributed"] as? Bool == true }) ?? stacks.first else {
            return []
        }
        var frames: [Frame] = []
        // Both begin with the innermost frame, as the converter of opentelemetry-swift has it.
        var next = (stack["callStackFrames"] ?? stack["callStackRootFrames"]) as? [[String: Any]] ?? []
        while !next.isEmpty, frames.count < frameLimit {
            var below: [[String: Any]] = []
            for members in next.prefix(frameLimit) {
                let image = members["binaryName"] as? String ?? ""
                let offset = (members["offsetAddress"] ?? members["offsetIntoBinaryTextSegment"]) as? Int ?? 0
                frames.append(
                    Frame(
                        name: "\(image) + 0x\(String(offset, radix: 16))", file: "", line: 0,
                        isPlatform: isAppleImage(image[...])))
                below = members["subFrames"] as? [[String: Any]] ?? below
            }
            next = below
        }
        return Array(frames.prefix(frameLimit))
    }

    /// Reads JSON; `nil` if it is invalid or nested deeper than the library allows.
    private static func json(_ text: String) -> Any? {
        try? JSONSerialization.jsonObject(with: Data(text.utf8))
    }

    private static func isAppleImage(_ name: Substring) -> Bool {
        name.hasPrefix("lib") || name == "dyld" || appleImages.contains(name)
    }

    private static let appleImages: Set<Substring> = [
        "CoreFoundation", "Foundation", "UIKitCore", "UIKit", "SwiftUI", "SwiftUICore", "GraphicsServices",
        "QuartzCore", "AttributeGraph", "CoreData", "Combine", "FrontBoardServices", "CFNetwork",
    ]

    private static let platformPackages = [
        "java.", "javax.", "jdk.", "sun.", "android.", "androidx.", "com.android.", "dalvik.", "libcore.", "kotlin.",
        "kotlinx.",
    ]
}
