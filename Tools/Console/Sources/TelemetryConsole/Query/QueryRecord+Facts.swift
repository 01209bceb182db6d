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
    init(_ problem: StoredProblem, resource: [String: QueryValue]) {
        var fields = Self.fields(
            problem.attributesText, of: .issues, session: problem.session, origin: resource, )
        fields["name"] = .string(problem.kind.eventName)
        fields["kind"] = .string(problem.kind.name)
        fields["type"] =
            fields[AttributeKey.exceptionType] ?? fields[AttributeKey.astrolabeCrashSignal]
            ?? .string(problem.kind.name)
        fields["fingerprint"] = .string(problem.fingerprint)
        fields["title"] = .string(problem.title)
        if !problem.place.isEmpty { fields["place"] = .string(problem.place) }
        // The run that crashed may have had another version than the one that reports it.
        if !problem.version.isEmpty { fields[AttributeKey.serviceVersion] = .string(problem.version) }
        if !problem.screen.isEmpty { fields[AttributeKey.appScreenName] = .string(problem.screen) }
        if let seconds = problem.duration { fields["duration"] = .int(Int64(clamping: seconds * 1e9)) }
        if problem.traceID.isValid { fields["trace.id"] = .string(problem.traceID.hex) }
        fields["device.id"] = resource["resource." + AttributeKey.appInstallationID]
        self.init(time: problem.timeUnixNano, fields: fields)
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
