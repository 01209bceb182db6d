import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleModel
import TelemetryQuery

extension QueryRecord {
    /// The facts of a session that are `true` or `false`: see ``FieldNames/ofSessions``.
    static let sessionFlags: Set<String> = ["crashed", "hung", "converted", "abandoned"]

    /// A row of the dataset `sessions`. Its time is the start.
    ///
    /// - Parameter resource: The fields of the session's resource.
    init(_ session: StoredSession, resource: [String: QueryValue]) {
        var fields = resource
        fields["session.id"] = .string(session.name)
        fields["device.id"] = resource["resource." + AttributeKey.appInstallationID]
        fields["start"] = .int(session.startUnixNano)
        fields["duration"] = .int(max(0, session.endUnixNano.clampedDifference(session.startUnixNano)))
        fields["crashed"] = .bool(session.crashes > 0)
        fields["crashes"] = .int(session.crashes)
        fields["hung"] = .bool(session.hangs > 0)
        fields["hangs"] = .int(session.hangs)
        fields["errors"] = .int(session.errors)
        fields["requests"] = .int(session.requests)
        fields["failed_requests"] = .int(session.failedRequests)
        fields["screens"] = .int(session.screens)
        fields["spans"] = .int(session.spans)
        fields["events"] = .int(session.events)
        fields["converted"] = .bool(session.isConverted)
        fields["abandoned"] = .bool(session.isAbandoned)
        if let value = session.orderValue { fields["order_value"] = .double(value) }
        self.init(time: session.startUnixNano, fields: fields)
    }

    /// A row of the dataset `issues`: one crash or hang.
    init(_ issueEvent: StoredIssueEvent, resource: [String: QueryValue]) {
        var fields = Self.fields(
            issueEvent.attributesText, of: .issues, session: issueEvent.session, origin: resource, )
        fields["name"] = .string(issueEvent.kind.eventName)
        fields["kind"] = .string(issueEvent.kind.name)
        fields["type"] =
            fields[AttributeKey.exceptionType] ?? fields[AttributeKey.astrolabeCrashSignal]
            ?? .string(issueEvent.kind.name)
        fields["fingerprint"] = .string(issueEvent.fingerprint)
        fields["title"] = .string(issueEvent.title)
        if !issueEvent.place.isEmpty { fields["place"] = .string(issueEvent.place) }
        // The run that crashed may have had another version than the one that reports it.
        if !issueEvent.version.isEmpty { fields[AttributeKey.serviceVersion] = .string(issueEvent.version) }
        if !issueEvent.screen.isEmpty { fields[AttributeKey.appScreenName] = .string(issueEvent.screen) }
        if let seconds = issueEvent.duration { fields["duration"] = .int(Int64(clamping: seconds * 1e9)) }
        if issueEvent.traceID.isValid { fields["trace.id"] = .string(issueEvent.traceID.hex) }
        fields["device.id"] = resource["resource." + AttributeKey.appInstallationID]
        self.init(time: issueEvent.timeUnixNano, fields: fields)
    }

    /// A row of the dataset `metrics`: one point, without the fields of its resource and scope.
    init(_ point: StoredPoint, session: String?) {
        var fields = Self.fields(point.attributesText, of: .metrics, session: session)
        fields["name"] = .string(point.name)
        if !point.unit.isEmpty { fields["unit"] = .string(point.unit) }
        fields["kind"] = .string(point.kind.name)
        let numbers = [
            "value": point.value, "count": point.count, "sum": point.sum, "min": point.min, "max": point.max,
            "p50": point.median, "p95": point.p95,
        ]
        for (name, number) in numbers {
            if let number { fields[name] = .double(number) }
        }
        self.init(time: point.timeUnixNano, fields: fields)
    }
}
