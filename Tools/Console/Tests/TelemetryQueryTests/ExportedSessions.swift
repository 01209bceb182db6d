import ConsoleModel
import ConsoleStore

@testable import TelemetryQuery

/// Sessions, computed as plainly as possible from the spans and events that name them, and from those of their traces
/// that name none.
struct ExportedSessions: RelatedRecords {
    static let fields = [
        "crashed", "crashes", "hung", "hangs", "errors", "spans", "events", "screens", "converted", "abandoned",
        "order_value", "start", "device.id", "promoted", "trigger", "session.spans", "session.converted",
    ]
    let records: [QueryRecord]

    /// A record of a session.
    private struct Member {
        let record: QueryRecord
        let isSpan: Bool
        /// True if the record names the session.
        var isOwn = true
        /// True if it is a span with an error that none of its children has.
        var isFailure = false

        func text(_ field: String) -> String? { record.value(ofField: field, in: .spans).text }

        var isError: Bool { isSpan && text("status") == "error" }
        var isDevice: Bool { text("resource.app.installation.id") != nil }
        var end: Int64 {
            record.time + Int64(isSpan ? record.value(ofField: "duration", in: .spans).number ?? 0 : 0)
        }

        func hasFailed(becauseOf child: Member) -> Bool {
            isError && child.isError && child.text("trace.id") == text("trace.id")
                && child.text("parent.id") == text("span.id") && child.text("span.id") != text("span.id")
        }
    }

    init(spans: [QueryRecord], events: [QueryRecord], _ milestones: ConversionEvents) {
        var all = spans.map { Member(record: $0, isSpan: true) } + events.map { Member(record: $0, isSpan: false) }
        for (index, member) in all.enumerated() {
            all[index].isFailure = member.isError && !all.contains { member.hasFailed(becauseOf: $0) }
        }
        let sessions = Set(all.compactMap { $0.text("session.id") })
        records = sessions.map { id in
            let own = all.filter { $0.text("session.id") == id }
            let traces = Set(own.compactMap { $0.text("trace.id") })
            let claimed = all.filter { member in
                member.text("session.id") == nil && member.text("trace.id").map { traces.contains($0) } == true
            }.map { Member(record: $0.record, isSpan: $0.isSpan, isOwn: false, isFailure: $0.isFailure) }
            return Self.session(id, own + claimed, milestones)
        }
    }

    private static func session(_ id: String, _ members: [Member], _ milestones: ConversionEvents) -> QueryRecord {
        func count(_ test: (Member) -> Bool) -> QueryValue { .int(Int64(members.filter(test).count)) }
        let own = members.filter(\.isOwn)
        let ofDevice = own.filter(\.isDevice)
        let timed = ofDevice.isEmpty ? own : ofDevice
        let start = timed.map(\.record.time).min() ?? 0
        let newest = timed.max { $0.end < $1.end }?.record
        var fields = newest?.fields.filter { $0.key.hasPrefix("resource.") } ?? [:]
        fields["session.id"] = .string(id)
        fields["device.id"] = fields["resource.app.installation.id"]
        fields["start"] = .int(start)
        fields["duration"] = .int((timed.map(\.end).max() ?? start) - start)
        fields["crashes"] = count { !$0.isSpan && $0.text("name") == "app.crash" }
        fields["crashed"] = .bool(fields["crashes"] != .int(0))
        fields["hangs"] = count { $0.text("name") == "astrolabe.hang" }
        fields["hung"] = .bool(fields["hangs"] != .int(0))
        fields["spans"] = count { $0.isSpan }
        fields["events"] = count { !$0.isSpan }
        fields["errors"] = count { member in
            if member.isSpan { return member.isFailure }
            let severity = member.record.value(ofField: "severity", in: .events).number ?? 0
            return member.text("name") != "app.crash" && severity >= 17
        }
        fields["screens"] = .int(Int64(Set(own.compactMap { $0.text("app.screen.name") }).count))
        let promoted = own.compactMap { member in
            member.text("astrolabe.recorder.trigger").map { (time: member.record.time, trigger: $0) }
        }
        fields["promoted"] = .bool(!promoted.isEmpty)
        fields["trigger"] = promoted.min { $0 < $1 }.map { .string($0.trigger) }
        addMilestones(of: members, milestones, to: &fields)
        return QueryRecord(time: start, fields: fields)
    }

    private static func addMilestones(
        of members: [Member], _ milestones: ConversionEvents, to fields: inout [String: QueryValue],
    ) {
        let conversions = members.filter { milestones.conversions.contains($0.text("name") ?? "") }
        let checkouts = members.filter { member in
            milestones.checkouts.contains(member.text("name") ?? "")
                || (member.isOwn && milestones.checkouts.contains(member.text("app.screen.name") ?? ""))
        }
        func amounts(_ members: [Member]) -> [Double] {
            members.compactMap { member in
                milestones.amounts.lazy.compactMap { name in
                    member.record.value(ofColumn: name).number
                        ?? QueryValue.number(in: member.text(name) ?? "")?.number
                }.first
            }
        }
        let own = amounts(conversions.filter(\.isOwn))
        let counted = own.isEmpty ? amounts(conversions.filter { !$0.isOwn }) : own
        fields["converted"] = .bool(!conversions.isEmpty)
        fields["abandoned"] = .bool(conversions.isEmpty && !checkouts.isEmpty)
        fields["order_value"] = counted.isEmpty ? nil : .double(counted.reduce(0, +))
    }

    func values(of field: String, in relation: Relation, key: String) -> [QueryValue] {
        guard relation == .session else { return [] }
        let session = records.first { $0.value(ofField: "session.id", in: .spans).text == key }
        return session.map { $0.value(ofField: field, in: .sessions) }.flatMap { $0.isMissing ? nil : [$0] } ?? []
    }
}
