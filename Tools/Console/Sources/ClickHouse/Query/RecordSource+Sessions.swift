import AstrolabeSemantics
import ConsoleModel
import TelemetryQuery

extension RecordSource {
    /// SQL of the session that a span or log record names, or an empty text.
    static func session(attributes: String) -> String {
        let key = AttributeKey.sessionID
        return "if(mapContains(\(attributes), '\(key)'), \(attributes)['\(key)'], ResourceAttributes['\(key)'])"
    }

    /// Sessions, computed from the spans and log records that name them when a query runs.
    ///
    /// - Parameter milestones: The names of the records that a session is judged by.
    static func sessions(_ milestones: Milestones, in statement: inout Statement) -> RecordSource {
        let conversions = milestones.conversions.map { statement.bind($0) }.joined(separator: ", ")
        let checkouts = milestones.checkouts.map { statement.bind($0) }.joined(separator: ", ")
        let amounts =
            milestones.amounts.map { SQLValue.number(inText: "attributes[\(statement.bind($0))]") }
            + ["CAST(NULL AS Nullable(Float64))"]
        let screen = "attributes['\(AttributeKey.appScreenName)']"
        let httpStatus =
            "toInt64OrZero(coalesce("
            + [AttributeKey.httpResponseStatusCode, AttributeKey.httpStatusCode]
            .map { "nullIf(attributes['\($0)'], '')" }.joined(separator: ", ") + ", ''))"
        let isConverted = "countIf(name IN (\(conversions))) > 0"
        let isCheckout = "countIf(name IN (\(checkouts)) OR \(screen) IN (\(checkouts))) > 0"
        let facts = [
            "min(began) AS start", "max(ended) AS end",
            "countIf(name = '\(EventName.appCrash)' AND NOT isSpan) AS crashes",
            "countIf(name = '\(EventName.hang)' AND NOT isSpan) AS hangs",
            "countIf(isError OR (name = '\(EventName.appCrash)' AND NOT isSpan)) AS errors",
            "countIf(isSpan) AS spans", "countIf(NOT isSpan) AS events",
            "countIf(isRequest) AS requests",
            "countIf(isRequest AND (isError OR \(httpStatus) >= 400)) AS failed_requests",
            "uniqExactIf(\(screen), \(screen) != '') AS screens",
            "\(isConverted) AS converted", "(\(isCheckout)) AND NOT (\(isConverted)) AS abandoned",
            "sumIf(coalesce(\(amounts.joined(separator: ", "))), name IN (\(conversions))) AS order_value",
            "argMin(resource, began) AS ResourceAttributes", "argMin(service, began) AS ServiceName",
        ].joined(separator: ", ")
        let spans = """
            SELECT \(session(attributes: "SpanAttributes")) AS session, toUnixTimestamp64Nano(Timestamp) AS began, \
            began + toInt64(Duration) AS ended, true AS isSpan, CAST(SpanName AS String) AS name, \
            StatusCode IN ('Error', 'STATUS_CODE_ERROR') AS isError, SpanAttributes AS attributes, \
            SpanKind IN ('Client', 'SPAN_KIND_CLIENT') AND (mapContains(SpanAttributes, '\(AttributeKey.httpRequestMethod)') \
            OR mapContains(SpanAttributes, '\(AttributeKey.httpMethod)')) AS isRequest, ResourceAttributes AS resource, CAST(ServiceName AS String) AS service FROM \(OTelTable.traces.rawValue)
            """
        let logs = """
            SELECT \(session(attributes: "LogAttributes")) AS session, toUnixTimestamp64Nano(Timestamp) AS began, \
            began AS ended, false AS isSpan, if(EventName = '', LogAttributes['event.name'], EventName) AS name, \
            SeverityNumber >= 17 AND name != '\(EventName.appCrash)' AS isError, LogAttributes AS attributes, \
            false AS isRequest, ResourceAttributes AS resource, CAST(ServiceName AS String) AS service FROM \(OTelTable.logs.rawValue)
            """
        func fact(_ sql: String, _ type: SQLValue.ValueType) -> SQLValue { SQLValue(sql: sql, type: type) }
        return RecordSource(
            dataset: .sessions,
            table: { near in
                """
                (SELECT session, \(facts) FROM (\(spans) WHERE \(near) UNION ALL \(logs) WHERE \(near) AND \(isEvent)) \
                WHERE session != '' GROUP BY session)
                """
            },
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
}
