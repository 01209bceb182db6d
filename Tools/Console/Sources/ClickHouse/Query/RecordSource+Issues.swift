import AstrolabeSemantics
import ConsoleModel
import TelemetryQuery

extension RecordSource {
    /// Crashes and hangs that are assigned to issues.
    static let issues: RecordSource = {
        func text(_ sql: String) -> SQLValue { SQLValue(sql: "nullIf(toString(\(sql)), '')", type: .text) }
        func kind(_ name: (ProblemKind) -> String) -> String {
            "if(Kind = \(ProblemKind.crash.rawValue), '\(name(.crash))', '\(name(.hang))')"
        }
        func attribute(_ key: String) -> String { "nullIf(LogAttributes['\(key)'], '')" }
        return RecordSource(
            dataset: .issues,
            table: { "(SELECT * FROM \(IssueTable.rows) WHERE \($0))" }, time: "toUnixTimestamp64Nano(Timestamp)",
            fields: [
                "name": text(kind(\.eventName)), "kind": text(kind(\.name)),
                "type": SQLValue(
                    sql: "coalesce(\(attribute(AttributeKey.exceptionType)), "
                        + "\(attribute(AttributeKey.astrolabeCrashSignal)), \(kind(\.name)))", type: .text, ),
                "fingerprint": text("Fingerprint"), "title": SQLValue(sql: "toNullable(Title)", type: .text),
                "place": text("Place"), AttributeKey.serviceVersion: text("Version"),
                AttributeKey.appScreenName: text("Screen"), AttributeKey.sessionID: text("SessionId"),
                "duration": SQLValue(sql: "toInt64(Duration * 1e9)", type: .int), "trace.id": text("TraceId"),
                "device.id": text("Installation"),
            ],
            attributes: "LogAttributes", )
    }()
}
