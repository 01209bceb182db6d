import ConsoleAccess
import HTTPTypes
import Hummingbird
import HummingbirdCore
import ServerSupport

extension ConsoleRoute {
    /// All routes of the console. Those of other programs and of balancers are apart: see ``MountedSite`` and
    /// ``HealthProbe``.
    static let all: [ConsoleRoute] =
        telemetry + pages + [asset] + administration + policies + records + questions

    /// OTLP over HTTP.
    private static let telemetry: [ConsoleRoute] = Signal.allCases.map { signal in
        ConsoleRoute(.post, "/" + signal.path, .sender, .ingest) { services, call in
            await services.ingest.respond(to: call.request, signal: signal, peer: call.peer)
        }
    }

    /// The paths of the pages. They are one document, whose script shows the content that the path names.
    static let pagePaths = [
        "/", "/sign-in", "/sessions", "/sessions/{session}", "/traces", "/traces/{trace}", "/logs", "/devices",
        "/devices/{device}", "/metrics", "/metrics/{metric}", "/health", "/health/{part}", "/health/groups/{group}",
        "/health/problems/{problem}", "/explore", "/compare", "/journeys", "/map", "/boards", "/boards/{board}",
        "/alerts", "/policy",
    ]

    private static let pages: [ConsoleRoute] = pagePaths.map { path in
        ConsoleRoute(.get, path, .open, .plain) { services, _ in services.assets.page() }
    }

    private static let asset = ConsoleRoute(.get, "/assets/{folder}/{asset}", .open, .plain) { services, call in
        let path = call.values.joined(separator: "/")
        guard let asset = services.assets.asset(path, unless: call.request.headers[.ifNoneMatch]) else {
            throw APIFailure(.notFound, "not found: asset \(path)")
        }
        return asset
    }

    /// Signing in, uploads, live connections and assistants.
    private static let administration: [ConsoleRoute] = [
        ConsoleRoute(.get, "/api/v1/access", .open, .plain) { $0.access.state($1) },
        ConsoleRoute(.post, "/api/v1/access", .open, .plain) { try await $0.access.signIn($1) },
        ConsoleRoute(.delete, "/api/v1/access", .open, .plain) { $0.access.signOut($1) },
        ConsoleRoute(
            .post, "/api/v1/symbols", .key(.symbols), .plain, takes: SymbolHandler.parameters,
        ) { services, call in
            let sender = call.client.address.account(of: call.key)
            let (response, names) = try await services.uploads.respond(to: call.request, from: sender)
            services.access.record("symbols-uploaded", by: call.key, from: call.client, detail: names)
            return response
        },
        ConsoleRoute(.get, "/api/v1/symbols/{build}", .key(.symbols), .plain) { try $0.uploads.find($1.id) },
        ConsoleRoute(.get, "/api/v1/releases", .key(.view), .plain, takes: "fromUs toUs limit") {
            try await $0.releases.list($1.query)
        },
        ConsoleRoute(.post, "/api/v1/releases", .key(.symbols), .plain) { services, call in
            let (response, version) = try await services.releases.record(call.request)
            services.access.record("release-recorded", by: call.key, from: call.client, detail: version)
            return response
        },
        ConsoleRoute(.get, "/api/v1/live", .key(.view), .plain, takes: "session trace") { services, call in
            guard call.request.method != .head else { return Response(status: .ok, headers: LiveHandler.headers) }
            return try await services.live.respond(to: call.request) { services.access.isAdmitted(call.request) }
        },
        ConsoleRoute(.post, "/mcp", .key(.view), .queries) {
            try await MCPHandler(services: $0).respond(to: $1.request)
        },
    ]

    /// Remote policy: the devices that ask for it, and the viewers who roll it out.
    private static let policies: [ConsoleRoute] = [
        ConsoleRoute(.post, "/v1/opamp", .key(.policy), .plain) { try await $0.opamp.respond(to: $1) },
        ConsoleRoute(.get, "/api/v1/policies", .key(.view), .plain) { services, _ in await services.policies.list() },
        ConsoleRoute(.get, "/api/v1/policies/{app}", .key(.view), .plain) { try await $0.policies.app($1) },
        ConsoleRoute(.post, "/api/v1/policies", .key(.view), .plain) { services, call in
            let (response, detail) = try await services.policies.push(call)
            services.access.record("policy-pushed", by: call.key, from: call.client, detail: detail)
            return response
        },
        ConsoleRoute(.patch, "/api/v1/policies/{app}/{version}", .key(.view), .plain) { services, call in
            let (response, detail) = try await services.policies.change(call)
            services.access.record("policy-changed", by: call.key, from: call.client, detail: detail)
            return response
        },
        ConsoleRoute(.delete, "/api/v1/policies/{app}/{version}", .key(.view), .plain) { services, call in
            let (response, detail) = try await services.policies.withdraw(call)
            services.access.record("policy-withdrawn", by: call.key, from: call.client, detail: detail)
            return response
        },
    ]

    /// The routes of stored records.
    private static let records: [ConsoleRoute] = [
        ConsoleRoute(.get, "/api/v1/status", .key(.view), .queries) { try await $0.api.status($1) },
        ConsoleRoute(.get, "/api/v1/services", .key(.view), .queries) { try await $0.api.services($1) },
        ConsoleRoute(
            .get, "/api/v1/sessions", .key(.view), .queries,
            takes: "q service errors promoted device fromUs toUs limit cursor since",
        ) {
            try await $0.api.sessions($1)
        },
        ConsoleRoute(.get, "/api/v1/sessions/{session}", .key(.view), .queries) { try await $0.api.session($1) },
        ConsoleRoute(
            .get, "/api/v1/sessions/{session}/timeline", .key(.view), .queries,
            takes: "fromUs throughUs limit cursor since summary",
        ) {
            try await $0.api.timeline($1)
        },
        ConsoleRoute(.get, "/api/v1/sessions/{session}/ledger", .key(.view), .queries) {
            try await $0.api.ledger($1)
        },
        ConsoleRoute(.get, "/api/v1/sessions/{session}/replay", .key(.view), .queries, takes: "limit cursor since") {
            try await $0.api.replay($1)
        },
        ConsoleRoute(
            .get, "/api/v1/sessions/{session}/replay/{recording}", .key(.view), .queries, takes: "from limit",
        ) {
            try await $0.api.frames($1)
        },
        ConsoleRoute(
            .get, "/api/v1/traces", .key(.view), .queries,
            takes: "q service errors minUs maxUs fromUs toUs limit cursor",
        ) {
            try await $0.api.traces($1)
        },
        ConsoleRoute(.get, "/api/v1/traces/{trace}", .key(.view), .queries) { try await $0.api.trace($1) },
        ConsoleRoute(.get, "/api/v1/traces/{trace}/parts", .key(.view), .queries, takes: "span offset limit") {
            try await $0.api.traceParts($1)
        },
        ConsoleRoute(
            .get, "/api/v1/logs", .key(.view), .queries, takes: "q service severity fromUs toUs limit cursor",
        ) {
            try await $0.api.logs($1)
        },
        ConsoleRoute(.get, "/api/v1/devices", .key(.view), .queries, takes: "q limit cursor") {
            try await $0.api.devices($1)
        },
        ConsoleRoute(.get, "/api/v1/devices/{device}", .key(.view), .queries) { try await $0.api.device($1) },
        ConsoleRoute(.get, "/api/v1/devices/{device}/ledger", .key(.view), .queries, takes: "parts") {
            try await $0.api.ledgerHistory($1)
        },
        ConsoleRoute(.get, "/api/v1/metrics", .key(.view), .queries, takes: "session series points limit cursor") {
            try await $0.api.metrics($1)
        },
        ConsoleRoute(.get, "/api/v1/metrics/{metric}", .key(.view), .queries, takes: "by time fromUs toUs kept") {
            try await $0.api.metric($1)
        },
        ConsoleRoute(.get, "/api/v1/health/groups", .key(.view), .queries, takes: "kind version service") {
            try await $0.api.issues($1)
        },
        ConsoleRoute(.get, "/api/v1/health/groups/{group}", .key(.view), .queries) { try await $0.api.issue($1) },
        ConsoleRoute(.get, "/api/v1/health/problems/{problem}", .key(.view), .queries) {
            try await $0.api.issueEvent($1)
        },
        ConsoleRoute(.get, "/api/v1/health/screens", .key(.view), .queries, takes: "service") {
            try await $0.api.screens($1)
        },
        ConsoleRoute(.get, "/api/v1/health/releases", .key(.view), .queries, takes: "service") {
            try await $0.api.releases($1)
        },
        ConsoleRoute(.get, "/api/v1/forwarding", .key(.view), .queries) { try await $0.api.forwarding($1) },
        ConsoleRoute(.get, "/api/v1/recorder", .key(.view), .queries) { $0.api.recorder($1) },
    ]

    /// Queries, and what is made of them.
    private static let questions: [ConsoleRoute] = [
        ConsoleRoute(.get, "/api/v1/query", .key(.view), .queries, takes: "q kept") {
            try await $0.api.queryAnswer($1)
        },
        ConsoleRoute(.post, "/api/v1/query", .key(.view), .queries) { try await $0.api.queryAnswer($1) },
        ConsoleRoute(.get, "/api/v1/query/records", .key(.view), .queries, takes: "q order limit") {
            try await $0.api.queryRecords($1)
        },
        ConsoleRoute(.get, "/api/v1/query/differences", .key(.view), .queries, takes: "q selection") {
            try await $0.api.queryDifferences($1)
        },
        ConsoleRoute(.get, "/api/v1/query/complete", .key(.view), .queries, takes: "q cursor") {
            try await $0.api.queryCompletions($1)
        },
        ConsoleRoute(.get, "/api/v1/logs/patterns", .key(.view), .queries, takes: "q") {
            try await $0.api.logPatterns($1)
        },
        ConsoleRoute(.get, "/api/v1/journeys/funnel", .key(.view), .queries, takes: "q kept") {
            try await $0.api.funnel($1)
        },
        ConsoleRoute(.post, "/api/v1/journeys/funnel", .key(.view), .queries) { try await $0.api.funnel($1) },
        ConsoleRoute(.get, "/api/v1/journeys/flow", .key(.view), .queries, takes: "q kept") {
            try await $0.api.flow($1)
        },
        ConsoleRoute(.post, "/api/v1/journeys/flow", .key(.view), .queries) { try await $0.api.flow($1) },
        ConsoleRoute(.get, "/api/v1/map", .key(.view), .queries, takes: "time kept") { try await $0.api.map($1) },
        ConsoleRoute(.get, "/api/v1/boards", .key(.view), .queries) { try await $0.api.boards($1) },
        ConsoleRoute(.get, "/api/v1/boards/{board}", .key(.view), .queries) { try await $0.api.board($1) },
        ConsoleRoute(.put, "/api/v1/boards/{board}", .key(.view), .queries) { services, call in
            let response = try await services.api.saveBoard(call)
            services.access.record("board-changed", by: call.key, from: call.client, detail: call.id)
            return response
        },
        ConsoleRoute(.delete, "/api/v1/boards/{board}", .key(.view), .queries) { services, call in
            let response = try await services.api.removeBoard(call)
            services.access.record("board-changed", by: call.key, from: call.client, detail: call.id)
            return response
        },
        ConsoleRoute(.get, "/api/v1/alerts", .key(.view), .queries) { try await $0.api.alerts($1) },
        ConsoleRoute(.patch, "/api/v1/alerts/{board}/{alert}", .key(.view), .plain) { services, call in
            let response = try await services.api.changeAlert(call)
            services.access.record(
                "alert-changed", by: call.key, from: call.client, detail: call.values.joined(separator: " "))
            return response
        },
    ]
}
