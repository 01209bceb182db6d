import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleModel
import Foundation
import Symbolication

/// Computes the fingerprint that crashes and hangs with the same cause share.
///
/// The fingerprint of a crash consists of the innermost functions of the app. So it does not depend on the load address
/// or on changes to other lines. Debug and release builds share it if their stacks agree. Each function counts once, so
/// that the depth of a recursion does not matter. The fingerprint of a hang is one function: see ``HangCause``.
///
/// Without symbols, the fingerprint consists of the app's offsets, which are the same within a build. Without app
/// frames, it consists of the images and the message of the system.
extension IssueFingerprint {
    /// The number of functions in a fingerprint.
    private static let depth = 6
    private static let titleLimit = 300

    init(_ record: IssueEvent, _ attributes: Attributes, _ report: ReadReport) {
        if let text = StackText(attributes, unless: report) {
            let spot = text.spots.first
            let place = spot.map { StackSpot(name: $0.name, file: $0.file, line: $0.line).text } ?? ""
            let title = record.kind == .hang ? "Hang in \(spot?.name ?? "the system")" : text.title
            let functions = record.kind == .hang ? 1 : Self.depth
            self.init(
                seq: record.event.seq,
                kind: record.kind,
                fingerprint: Self.fingerprint(of: [record.kind.name] + Array(text.words.prefix(1 + functions))),
                title: String(title.prefix(Self.titleLimit)),
                place: String(place.prefix(Self.titleLimit)),
                wantedBuilds: [],
            )
            return
        }
        let stacks = record.kind == .crash ? [report.crashedFrames] : report.samples.map(\.frames)
        let spots: [StackSpot] =
            switch record.kind {
            case .crash: StackSpot.levels(of: stacks).first(where: { !$0.allSatisfy(\.isEmpty) })?.first ?? []
            case .hang: HangCause(stacks).map { [$0.spot] } ?? []
            }
        var words = Array(Self.unique(spots.map(\.name)).prefix(Self.depth))
        if words.isEmpty {
            words = [attributes[AttributeKey.exceptionType]?.stringValue ?? ""]
            let images = Self.images(of: stacks)
            // The order of a crash is that of its one stack. The samples of a hang have none in common.
            words += (record.kind == .hang ? images.sorted() : images).prefix(Self.depth)
        }
        self.init(
            seq: record.event.seq,
            kind: record.kind,
            fingerprint: Self.fingerprint(of: [record.kind.name] + words),
            title: String(Self.title(record.kind, attributes, spots.first, report).prefix(Self.titleLimit)),
            place: String((spots.first?.text ?? "").prefix(Self.titleLimit)),
            wantedBuilds: report.wanted.map(\.buildID.hex),
        )
    }

    /// The names of the images that most stacks share, in the order in which they are found.
    private static func images(of stacks: [[ReadFrame]]) -> [String] {
        let names = stacks.flatMap { unique($0.compactMap(\.frame.image?.name)) }
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        return unique(names).filter { counts[$0, default: 0] * 2 > stacks.count }
    }

    private static func unique(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }

    private static func title(
        _ kind: IssueKind, _ attributes: Attributes, _ spot: StackSpot?, _ report: ReadReport,
    ) -> String {
        func text(_ key: String) -> String { attributes[key]?.stringValue ?? "" }
        switch kind {
        case .hang: return "Hang in \(spot?.name ?? "the system")"
        case .crash:
            let type = text(AttributeKey.exceptionType)
            if attributes[AttributeKey.astrolabeCrashIsStackOverflow]?.isTrue == true {
                return "Stack overflow (\(type))"
            }
            let message = CrashMessage(attributes, report)
            if message.isSignal {
                let code = text(AttributeKey.astrolabeCrashCodeName)
                let address = UInt64(text(AttributeKey.astrolabeCrashAddress).dropFirst(2), radix: 16)
                if let address, address < 4_096 { return "Null pointer (\(type))" }
                return [type.isEmpty ? "Crash" : type, code].filter { !$0.isEmpty }.joined(separator: ": ")
            }
            return withoutPlace(message.text)
        }
    }

    /// Removes the place from messages such as `Shop/Cart.swift:42: Fatal error: …`, which debug builds write.
    private static func withoutPlace(_ message: String) -> String {
        guard let place = message.range(of: #"^[^:]*\.swift:[0-9]+: "#, options: .regularExpression) else {
            return message
        }
        return String(message[place.upperBound...])
    }
}
