import AstrolabeTelemetryModel
import ConsoleModel

/// The API's JSON. Times are microseconds since 1970, which JavaScript represents exactly. Durations are nanoseconds.
extension JSONText {
    /// - Parameter found: The records whose id was searched for, if the list has none of them.
    mutating func append<Element>(
        _ page: Page<Element>, named name: StaticString, found: [FoundRecord] = [],
        _ write: (inout JSONText, Element) -> Void,
    ) {
        object { text in
            text.member(name) { $0.array(page.elements, write) }
            text.append(found)
            text.member(optional: "next", page.next)
            text.member("complete", page.isComplete)
            text.member("cursor", page.cursor)
        }
    }

    /// Appends the member `found`, unless it is empty: records of other kinds than that of a list.
    mutating func append(_ found: [FoundRecord]) {
        guard !found.isEmpty else { return }
        member("found") { text in
            text.array(found) { text, record in
                text.object { text in
                    switch record {
                    case .trace(let id):
                        text.member("kind", "trace")
                        text.member("id", id.hex)
                    case .span(let id, let trace):
                        text.member("kind", "span")
                        text.member("id", id.hex)
                        text.member("traceId", trace.hex)
                    case .session(let id):
                        text.member("kind", "session")
                        text.member("id", id)
                    case .device(let id):
                        text.member("kind", "device")
                        text.member("id", id)
                    }
                }
            }
        }
    }

    mutating func append(_ session: SessionSummary) {
        object { text in
            text.member("id", session.id)
            text.member("side", session.side.name)
            text.member("startUs", session.firstSeenUnixNano / 1_000)
            text.member("endUs", session.lastSeenUnixNano / 1_000)
            text.member("device") { $0.append(session.device) }
            text.member("screens") { $0.array(session.screens) { $0.append($1) } }
            text.member("triggers") { $0.array(session.triggers) { $0.append($1) } }
            text.member("spans", session.spans)
            text.member("events", session.events)
            text.member("metricPoints", session.metricPoints)
            text.member("errors", session.errors)
            text.member("crashes", session.crashes)
            text.member("requests", session.requests)
            text.member("failedRequests", session.failedRequests)
            text.member("traces", session.traces)
            text.member("activity") { $0.array(session.activity) { $0.append($1.records) } }
            text.member("activityErrors") { $0.array(session.activity) { $0.append($1.errors) } }
            text.member("trimmed", session.isTrimmed)
            text.member("replay", session.hasReplay)
            text.member("cursor", session.cursor)
        }
    }

    mutating func append(_ device: DeviceFacts) {
        object { text in
            text.member("installation", device.installation)
            text.member("service", device.service)
            text.member("appVersion", device.appVersion)
            text.member("manufacturer", device.manufacturer)
            text.member("modelIdentifier", device.modelIdentifier)
            text.member("modelName", device.modelName)
            text.member("systemName", device.systemName)
            text.member("systemVersion", device.systemVersion)
            text.member("timeZone", device.timeZone)
            text.member("policyVersion", device.policyVersion)
        }
    }

    mutating func append(_ trace: TraceSummary) {
        object { text in
            text.member("traceId", trace.id.hex)
            text.member("name", trace.name)
            text.member(optional: "route", trace.route)
            text.member("service", trace.service)
            text.member("side", trace.side.name)
            text.member("hasRoot", trace.hasRoot)
            text.member("services") { $0.array(trace.services) { $0.append($1) } }
            text.member("startUs", trace.startUnixNano / 1_000)
            text.member("durationNs", trace.durationNano)
            text.member("spans", trace.spans)
            text.member("events", trace.events)
            text.member("errors", trace.errors)
            text.member("sessions") { $0.array(trace.sessions) { $0.append($1) } }
        }
    }

    mutating func append(_ service: ServiceSummary) {
        object { text in
            text.member("name", service.name)
            text.member("side", service.side.name)
            text.member("spans", service.spans)
            text.member("logs", service.logs)
            text.member("metricPoints", service.metricPoints)
            if service.isSynthetic { text.member("synthetic", true) }
        }
    }

    mutating func append(
        _ statistics: StoreStatistics, retention: StoreConfiguration.Retention, sites: [MountedSite],
    ) {
        object { text in
            text.member("sessions", statistics.sessions)
            text.member("traces", statistics.traces)
            text.member("devices", statistics.devices)
            text.member("received", statistics.received)
            text.member("expired", statistics.expired)
            text.member("evicted", statistics.evicted)
            text.member("bytes", statistics.bytes)
            text.member("bytesLimit", statistics.bytesLimit)
            text.member("retentionSeconds", retention.age.components.seconds)
            if let doubt = statistics.clockDoubt { text.member("clockDoubtSeconds", doubt.components.seconds) }
            text.member("cursor", statistics.cursor)
            text.member("sites") { text in
                text.array(sites) { text, site in
                    text.object { text in
                        text.member("title", site.title)
                        text.member("path", site.path)
                    }
                }
            }
        }
    }
}
