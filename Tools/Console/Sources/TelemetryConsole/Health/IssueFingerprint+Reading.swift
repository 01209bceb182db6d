import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleStore
import Foundation
import Symbolication

/// Computes the fingerprint that problems with the same cause share.
///
/// The fingerprint consists of the innermost functions of the app. So it does not depend on the load address or on
/// changes to other lines. Debug and release builds share it if their stacks agree. Each function counts once, so that
/// the depth of a recursion does not matter.
///
/// Without symbols, the fingerprint consists of the app's offsets, which are the same within a build. Without app
/// frames, it consists of the images and the message of the system.
extension IssueFingerprint {
    /// The number of functions in a fingerprint.
    private static let depth = 6
    private static let titleLimit = 300

    init(_ record: ProblemRecord, _ attributes: Attributes, _ report: ReadReport) {
        let text = report.threads.isEmpty && report.samples.isEmpty ? StackText(attributes) : nil
        if let text, text.hasContents {
            let spot = text.spots.first
            let place = spot.map { Spot(name: $0.name, file: $0.file, line: $0.line).text } ?? ""
            let title = record.kind == .hang ? "Hang in \(spot?.name ?? "the system")" : text.title
            self.init(
                seq: record.event.seq,
                kind: record.kind,
                fingerprint: Self.fingerprint(
                    of: [record.kind.name] + Array(text.words.prefix(Self.depth + 1))),
                title: String(title.prefix(Self.titleLimit)),
                place: String(place.prefix(Self.titleLimit)),
                wantedBuilds: [],
            )
            return
        }
        let spots = record.kind == .crash ? Self.spots(report.crashedFrames) : Self.spots(report.samples, report)
        var words = Array(Self.unique(spots.map(\.name)).prefix(Self.depth))
        if words.isEmpty {
            words = [attributes[AttributeKey.exceptionType]?.stringValue ?? ""]
            let frames = record.kind == .crash ? report.crashedFrames : report.samples.first?.frames ?? []
            words += Self.unique(frames.compactMap(\.frame.image?.name)).prefix(Self.depth)
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

    /// A function of the app and its place in the source.
    private struct Spot {
        let name: String
        let file: String
        let line: Int

        var text: String {
            guard !file.isEmpty else { return name }
            let fileName = file.split(separator: "/").last.map(String.init) ?? file
            return "\(name) · \(fileName)\(line > 0 ? ":\(line)" : "")"
        }
    }

    private static func spots(_ frames: [ReadFrame]) -> [Spot] {
        let sure = frames.filter { !$0.frame.isGuess && $0.isApp }
        let app = sure.isEmpty ? frames.filter(\.isApp) : sure
        let own = app.flatMap { frame in
            frame.sources.filter { frame.isOwn($0) && !$0.function.isEmpty }
                .map { Spot(name: $0.function, file: $0.file, line: $0.line) }
        }
        guard own.isEmpty else { return own }
        let named = app.flatMap { $0.sources.filter { !$0.function.isEmpty && !$0.isRuntimeFailure } }
        guard named.isEmpty else { return named.map { Spot(name: $0.function, file: $0.file, line: $0.line) } }
        return app.map { Spot(name: $0.address, file: "", line: 0) }
    }

    /// The place of a hang: the innermost app function that nearly all stacks share.
    private static func spots(_ samples: [(time: Double, frames: [ReadFrame])], _ report: ReadReport) -> [Spot] {
        var flame = FlameNode.root()
        for sample in samples { flame.add(sample.frames, seconds: report.sampleInterval) }
        let own = flame.trunk.reversed().filter(\.isOwn)
        return own.isEmpty
            ? spots(samples.isEmpty ? [] : samples[samples.count / 2].frames)
            : own.map { Spot(name: $0.name, file: $0.file, line: $0.line) }
    }

    private static func unique(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }

    private static func title(
        _ kind: ProblemKind, _ attributes: Attributes, _ spot: Spot?, _ report: ReadReport,
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
