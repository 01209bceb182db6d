import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleModel
import Symbolication

extension JSONText {
    mutating func append(_ issue: HealthIssue) {
        object { text in
            text.member("fingerprint", issue.fingerprint)
            text.member("kind", issue.kind.name)
            text.member("title", issue.title)
            text.member("place", issue.place)
            text.member("wantedBuilds") { $0.array(issue.wantedBuilds) { $0.append($1) } }
            text.member("count", issue.count)
            text.member("users", issue.users)
            text.member("sessions", issue.sessions)
            text.member("services") { $0.array(issue.services) { $0.append($1) } }
            text.member("versions") { $0.array(issue.versions) { $0.append($1) } }
            text.member("screens") { $0.array(issue.screens) { $0.append($1) } }
            text.member("firstUs", issue.firstUnixNano / 1_000)
            text.member("lastUs", issue.lastUnixNano / 1_000)
            text.member(seconds: "longest", issue.longest)
            text.member(seconds: "total", issue.total)
            text.member("perDay") { $0.array(issue.perDay) { $0.append($1) } }
        }
    }

    mutating func append(_ issueEvent: IssueEventSummary) {
        object { text in
            text.member("seq", issueEvent.seq)
            text.member("kind", issueEvent.kind.name)
            text.member("timeUs", issueEvent.timeUnixNano / 1_000)
            text.member(optional: "session", issueEvent.session)
            text.member("installation", issueEvent.installation)
            text.member("appVersion", issueEvent.appVersion)
            text.member("screen", issueEvent.screen)
            text.member(seconds: "duration", issueEvent.duration)
        }
    }

    /// Appends a crash or hang with its stacks and attributes, except for the attributes that contain the raw stacks.
    mutating func append(
        _ record: IssueEvent, _ finding: IssueFingerprint, _ report: ReadReport, _ release: ReleaseMarker?,
    ) {
        object { text in
            text.member("seq", record.event.seq)
            text.member("kind", record.kind.name)
            text.member("fingerprint", finding.fingerprint)
            text.member("title", finding.title)
            text.member("place", finding.place)
            if record.kind == .crash {
                text.member("message", CrashMessage(record.event.attributes, report).text)
            }
            text.member("timeUs", record.event.timeUnixNano / 1_000)
            text.member(optional: "session", record.session)
            if record.event.traceID.isValid { text.member("traceId", record.event.traceID.hex) }
            if record.event.spanID.isValid { text.member("spanId", record.event.spanID.hex) }
            if let release { text.member("release") { $0.append(release) } }
            text.member("device") { $0.append(DeviceFacts(record.origin.attributes)) }
            var rest = record.event.attributes
            for key in Self.stackKeys { rest[key] = nil }
            text.member("attributes") { $0.append(rest) }
            text.member("threads") { text in
                if let stack = StackText(record.event.attributes, unless: report), !stack.frames.isEmpty {
                    text.array([stack]) { $0.append($1, of: record) }
                } else {
                    text.array(report.threads) { $0.append($1.thread, $1.frames) }
                }
            }
            if record.kind == .hang {
                var flame = FlameNode.root()
                for sample in report.samples { flame.add(sample.frames, seconds: report.sampleInterval) }
                text.member("samples", report.samples.count)
                text.member("flame") { $0.append(flame) }
            }
            text.member("wanted") { text in
                text.array(report.wanted) { text, build in
                    text.object {
                        $0.member("image", build.image)
                        $0.member("buildId", build.buildID.hex)
                    }
                }
            }
            text.member("nameless") { $0.array(report.nameless) { $0.append($1) } }
            text.member(optional: "failure", report.failure)
        }
    }

    private static let stackKeys = [
        AttributeKey.astrolabeImages, AttributeKey.astrolabeCrashThreads, AttributeKey.astrolabeHangSamples,
    ]

    private mutating func append(_ thread: HealthReport.Thread, _ frames: [ReadFrame]) {
        object { text in
            text.member("id", thread.id)
            text.member("name", thread.name)
            if thread.isCrashed { text.member("crashed", true) }
            if thread.isMain { text.member("main", true) }
            text.member("frames") { $0.array(frames) { $0.append($1) } }
        }
    }

    /// Appends the thread that a stack in words is of.
    private mutating func append(_ stack: StackText, of record: IssueEvent) {
        let attributes = record.event.attributes
        let name = attributes[AttributeKey.threadName]?.stringValue ?? ""
        object { text in
            text.member("id", attributes[AttributeKey.threadID]?.intValue ?? 0)
            text.member("name", name)
            if record.kind == .crash { text.member("crashed", true) }
            if record.kind == .hang || name == "main" { text.member("main", true) }
            text.member("frames") { $0.array(stack.frames) { $0.append($1) } }
        }
    }

    /// Appends a frame in words, which has no image. Its file stands for it where frames are folded.
    private mutating func append(_ frame: StackText.Frame) {
        object { text in
            text.member("image", frame.file.isEmpty ? frame.name : frame.file)
            text.member("address", frame.name)
            if !frame.isPlatform { text.member("app", true) }
            if frame.file.isEmpty { return }
            text.member("sources") { text in
                text.array([frame]) { text, frame in
                    text.object { text in
                        text.member("function", frame.name)
                        text.member("file", frame.file)
                        if frame.line > 0 { text.member("line", frame.line) }
                        if !frame.isPlatform { text.member("own", true) }
                    }
                }
            }
        }
    }

    private mutating func append(_ frame: ReadFrame) {
        object { text in
            text.member(optional: "image", frame.frame.image?.name)
            text.member("address", frame.address)
            if frame.isApp { text.member("app", true) }
            if frame.frame.isGuess { text.member("guess", true) }
            if frame.sources.isEmpty { return }
            text.member("sources") { text in
                text.array(frame.sources) { text, source in
                    text.object { text in
                        text.member("function", source.function)
                        if !source.file.isEmpty { text.member("file", source.file) }
                        if source.line > 0 { text.member("line", source.line) }
                        if source.column > 0 { text.member("column", source.column) }
                        if source.isInlined { text.member("inlined", true) }
                        if frame.isOwn(source) { text.member("own", true) }
                    }
                }
            }
        }
    }

    mutating func append(_ node: FlameNode) {
        object { text in
            text.member("name", node.name)
            if !node.file.isEmpty { text.member("file", node.file) }
            if node.line > 0 { text.member("line", node.line) }
            if node.isOwn { text.member("own", true) }
            text.member(seconds: "seconds", node.seconds)
            if !node.children.isEmpty {
                text.member("children") { $0.array(node.sortedChildren) { $0.append($1) } }
            }
        }
    }

    /// Appends a member unless its value is `nil`.
    mutating func member(seconds name: StaticString, _ value: Double?) {
        if let value, value.isFinite { member(name) { $0.append(.double(value)) } }
    }
}
