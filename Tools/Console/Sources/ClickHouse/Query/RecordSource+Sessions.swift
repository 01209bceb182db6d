import AstrolabeSemantics
import ConsoleModel
import TelemetryQuery

extension RecordSource {
    /// SQL of the session that a span or log record names, or an empty text.
    static func session(attributes: String) -> String {
        let key = AttributeKey.sessionID
        return "if(\(attributes)['\(key)'] != '', \(attributes)['\(key)'], ResourceAttributes['\(key)'])"
    }

    /// SQL of whether a resource is that of a device: see ``OriginSide``.
    static let isDevice: String = {
        let keys = [
            AttributeKey.deviceModelIdentifier, AttributeKey.deviceModelName, AttributeKey.deviceManufacturer,
            AttributeKey.appInstallationID,
        ]
        let systems = OriginSide.mobileSystems.sorted().map { "'\($0)'" }.joined(separator: ", ")
        let tests =
            keys.map { "mapContains(ResourceAttributes, '\($0)')" }
            + ["lower(ResourceAttributes['\(AttributeKey.osName)']) IN (\(systems))"]
        return "(\(tests.joined(separator: " OR ")))"
    }()

    private static let failed = "StatusCode IN ('Error', 'STATUS_CODE_ERROR')"

    /// Sessions, computed when a query runs as the embedded store keeps them.
    ///
    /// A record that names no session, such as a backend's, belongs to every session of its trace. It is counted, but
    /// tells nothing of the session's time, device, screens and requests.
    ///
    /// - Parameter milestones: The names of the records that a session is judged by.
    static func sessions(_ milestones: Milestones, in statement: inout Statement) -> RecordSource {
        let facts = facts(milestones, in: &statement).joined(separator: ", ")
        func fact(_ sql: String, _ type: SQLValue.ValueType) -> SQLValue { SQLValue(sql: sql, type: type) }
        return RecordSource(
            dataset: .sessions,
            table: { near in "(SELECT session, \(facts) FROM (\(members(near))) GROUP BY session)" },
            time: "start",
            fields: [
                "session.id": fact("session", .text),
                "device.id": fact("nullIf(ResourceAttributes['\(AttributeKey.appInstallationID)'], '')", .text),
                "start": fact("start", .int), "duration": fact("greatest(end - start, 0)", .int),
                "crashed": fact("crashes > 0", .bool), "crashes": fact("toInt64(crashes)", .int),
                "hung": fact("hangs > 0", .bool), "hangs": fact("toInt64(hangs)", .int),
                "requests": fact("toInt64(requests)", .int),
                "failed_requests": fact("toInt64(failed_requests)", .int),
                "errors": fact("toInt64(errors)", .int), "spans": fact("toInt64(spans)", .int),
                "events": fact("toInt64(events)", .int), "screens": fact("toInt64(screens)", .int),
                "converted": fact("converted", .bool), "abandoned": fact("abandoned", .bool),
                "order_value": fact("order_value", .double),
            ],
            needsMargin: true, )
    }

    /// SQL of the facts about one session, from its ``members(_:)``.
    private static func facts(_ milestones: Milestones, in statement: inout Statement) -> [String] {
        let conversions = milestones.conversions.map { statement.bind($0) }.joined(separator: ", ")
        let checkouts = milestones.checkouts.map { statement.bind($0) }.joined(separator: ", ")
        let amounts =
            milestones.amounts.map { SQLValue.number(inText: "attributes[\(statement.bind($0))]") }
            + ["CAST(NULL AS Nullable(Float64))"]
        let amount = "coalesce(\(amounts.joined(separator: ", ")))"
        let screen = "attributes['\(AttributeKey.appScreenName)']"
        let httpStatus =
            "toInt64OrZero(coalesce("
            + [AttributeKey.httpResponseStatusCode, AttributeKey.httpStatusCode]
            .map { "nullIf(attributes['\($0)'], '')" }.joined(separator: ", ") + ", ''))"
        let isConverted = "countIf(name IN (\(conversions))) > 0"
        let isCheckout = "countIf(name IN (\(checkouts)) OR (isOwn AND \(screen) IN (\(checkouts)))) > 0"
        // Of the device's own records, or of all own ones if none is a device's.
        func own(_ function: String, _ arguments: String = "", where test: String = "true") -> String {
            func result(_ condition: String) -> String {
                "\(function)If(\(arguments.isEmpty ? "" : "\(arguments), ")\(test) AND \(condition))"
            }
            return "if(countIf(isOwn AND isDevice) > 0, \(result("isOwn AND isDevice")), \(result("isOwn")))"
        }
        return [
            "\(own("min", "began")) AS start", "\(own("max", "ended")) AS end",
            "countIf(name = '\(EventName.appCrash)' AND isEvent) AS crashes",
            "countIf(name = '\(EventName.hang)') AS hangs",
            "countIf(isError) AS errors", "countIf(isSpan) AS spans", "countIf(isEvent) AS events",
            "\(own("count", where: "isRequest")) AS requests",
            "\(own("count", where: "isRequest AND (hasFailed OR \(httpStatus) >= 400)")) AS failed_requests",
            "uniqExactIf(\(screen), isOwn AND \(screen) != '') AS screens",
            "\(isConverted) AS converted", "(\(isCheckout)) AND NOT (\(isConverted)) AS abandoned",
            "coalesce(sumIf(\(amount), isOwn AND name IN (\(conversions))), "
                + "sumIf(\(amount), NOT isOwn AND name IN (\(conversions)))) AS order_value",
            "argMaxIf(resource, (isDevice, ended), isOwn) AS ResourceAttributes",
            "argMaxIf(service, (isDevice, ended), isOwn) AS ServiceName",
        ]
    }

    /// A statement of the spans, log records and replay frames of each session.
    private static func members(_ near: String) -> String {
        let spans = """
            SELECT \(session(attributes: "SpanAttributes")) AS own, TraceId AS trace, \
            toUnixTimestamp64Nano(Timestamp) AS began, began + toInt64(Duration) AS ended, \
            true AS isSpan, false AS isEvent, CAST(SpanName AS String) AS name, (\(failed)) AS hasFailed, \
            (\(isFailure(near))) AS isError, SpanAttributes AS attributes, (\(isRequest)) AS isRequest, \
            ResourceAttributes AS resource, CAST(ServiceName AS String) AS service, \(isDevice) AS isDevice \
            FROM \(OTelTable.traces.rawValue) WHERE \(near)
            """
        let uncounted = "('\(EventName.appCrash)', '\(EventName.replay)')"
        let logs = """
            SELECT \(session(attributes: "LogAttributes")) AS own, TraceId AS trace, \
            toUnixTimestamp64Nano(Timestamp) AS began, began AS ended, \
            false AS isSpan, (\(isEvent)) AS isEvent, \
            if(EventName = '', LogAttributes['event.name'], EventName) AS name, false AS hasFailed, \
            (SeverityNumber >= 17 AND name NOT IN \(uncounted)) AS isError, LogAttributes AS attributes, \
            false AS isRequest, \
            ResourceAttributes AS resource, CAST(ServiceName AS String) AS service, \(isDevice) AS isDevice \
            FROM \(OTelTable.logs.rawValue) WHERE \(near) AND (own != '' OR \(isEvent))
            """
        let ofTraces = """
            SELECT TraceId AS key, groupUniqArray(session) AS sessions \
            FROM (\(RelatedSQL.sessionsInTraces(near))) GROUP BY key
            """
        return """
            SELECT *, arrayJoin(if(own = '', sessions, [own])) AS session, own != '' AS isOwn \
            FROM (\(spans) UNION ALL \(logs)) AS members LEFT ANY JOIN (\(ofTraces)) AS traces \
            ON members.trace = traces.key
            """
    }

    private static let isRequest: String = {
        let tests = [AttributeKey.httpRequestMethod, AttributeKey.httpMethod]
            .map { "mapContains(SpanAttributes, '\($0)')" }
        return "SpanKind IN ('Client', 'SPAN_KIND_CLIENT') AND (\(tests.joined(separator: " OR ")))"
    }()

    /// SQL of whether a span is a failure of its own. One with a child that failed reports the child's on the way up.
    private static func isFailure(_ near: String) -> String {
        """
        \(failed) AND (TraceId, SpanId) NOT IN (SELECT TraceId, ParentSpanId FROM \(OTelTable.traces.rawValue) \
        WHERE \(near) AND \(failed) AND ParentSpanId != SpanId)
        """
    }
}
