import AstrolabeSemantics
import AstrolabeTelemetryModel
import ConsoleModel
import TelemetryQuery

extension QueryRecord {
    /// The facts of a session that are `true` or `false`: see ``FieldNames/ofSessions``.
    static let sessionFlags: Set<String> = ["crashed", "hung", "converted", "abandoned", "promoted"]

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
        fields["promoted"] = .bool(session.trigger != nil)
        if let trigger = session.trigger { fields["trigger"] = .string(trigger) }
        if let value = session.orderValue { fields["order_value"] = .double(value) }
        // A session is reported until its end.
        Self.addArrival(session.arrivedUnixNano, after: session.endUnixNano) { fields[$0] = $1 }
        self.init(time: session.startUnixNano, fields: fields)
    }

    /// A row of the dataset `issues`: one crash or hang.
    init(_ issueEvent: StoredIssueEvent, resource: [String: QueryValue]) {
        var fields = resource
        for attribute in JSONText.attributes(in: issueEvent.attributesText) ?? [:] {
            fields[FieldNames.column(ofAttribute: attribute.key, in: .issues)] = QueryValue(attribute.value)
        }
        if let session = issueEvent.session { fields["session.id"] = .string(session) }
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
        Self.addArrival(issueEvent.arrivedUnixNano, after: issueEvent.timeUnixNano) { fields[$0] = $1 }
        self.init(time: issueEvent.timeUnixNano, fields: fields)
    }

    /// Adds the fields of a record's arrival; none if it is unknown.
    ///
    /// - Parameters:
    ///   - arrived: The start of the minute in which the record arrived.
    ///   - end: The time at which the record was complete. Both are nanoseconds since 1970.
    static func addArrival(_ arrived: Int64?, after end: Int64, _ add: (String, QueryValue) -> Void) {
        guard let arrived else { return }
        add(FieldNames.arrived, .int(arrived))
        add(FieldNames.delay, .int(max(0, arrived.clampedDifference(end))))
    }
}
