import Astrolabe
import AstrolabeTesting
import Testing

/// A plain import of the SDK, as an app has it.
@Suite struct `The user` {
    private let collector = TelemetryCollector()
    private static let keys = [
        "user.id", "enduser.pseudo.id", "user.hash", "user.name", "user.full_name", "user.email", "user.roles",
    ]

    private func start(_ change: (inout TelemetryConfiguration) -> Void = { _ in }) -> Telemetry {
        var configuration = TelemetryConfiguration(serviceName: "shop")
        change(&configuration)
        return collector.start(configuration)
    }

    private func record(_ name: String, with telemetry: Telemetry) {
        telemetry.tracer("shop").withSpan(name) { _ in }
        telemetry.logger("shop").emit(name)
        telemetry.meter("shop").counter(name).add(1)
    }

    private func user(on name: String) throws -> [Attributes] {
        let span = try #require(collector.spans(named: name).first).attributes
        let event = try #require(collector.events(named: name).first).attributes
        return [span, event].map { all in
            var user = Attributes()
            for element in all where Self.keys.contains(element.key) { user[element.key] = element.value }
            return user
        }
    }

    @Test func `is on spans and events from the call on, and on no metric`() async throws {
        let telemetry = start()
        record("before", with: telemetry)
        telemetry.setUser(id: "u-1", pseudonym: "p-1", hash: "h-1", name: "al", fullName: "Al Bo", roles: ["buyer"])
        record("with", with: telemetry)
        telemetry.session.reset()
        record("later session", with: telemetry)
        telemetry.setUser(id: "u-2")
        record("other", with: telemetry)
        telemetry.clearUser()
        record("after", with: telemetry)
        await telemetry.flush()
        await telemetry.shutdown()
        let full: Attributes = [
            "user.id": "u-1", "enduser.pseudo.id": "p-1", "user.hash": "h-1", "user.name": "al",
            "user.full_name": "Al Bo", "user.roles": ["buyer"],
        ]
        for name in ["with", "later session"] {
            for user in try user(on: name) { #expect(user.dictionary == full.dictionary) }
        }
        for user in try user(on: "other") { #expect(user == ["user.id": "u-2"]) }
        for name in ["before", "after"] { for user in try user(on: name) { #expect(user == [:]) } }
        for name in ["with", "other"] {
            #expect(collector.metrics(named: name).count == 1)
            #expect(!"\(collector.metrics(named: name))".contains("u-"))
        }
    }

    @Test func `is redacted except for the keys that the app lists, on every record`() async throws {
        let address = "jane.doe@example.com"
        for listed in [[], ["user.email", "demo.email"]] as [Set<String>] {
            let name = listed.isEmpty ? "none listed" : "listed"
            let telemetry = start { configuration in
                configuration.redaction.recordedUserKeys = listed
                // Changes a record, so that the record is redacted once more.
                configuration.beforeSend.append {
                    $0.updateAttributes { $0["demo.changed"] = true }
                    return true
                }
            }
            telemetry.setUser(id: address, email: address, roles: [address])
            telemetry.setAttribute("demo.email", address)
            record(name, with: telemetry)
            await telemetry.shutdown()
            for user in try user(on: name) {
                #expect(user["user.id"] == "REDACTED")
                #expect(user["user.email"] == (listed.isEmpty ? "REDACTED" : .string(address)))
                #expect(user["user.roles"] == ["REDACTED"])
            }
            #expect(collector.spans(named: name).first?.attributes["demo.email"] == "REDACTED")
        }
    }

    @Test func `has texts of at most 256 bytes and 16 roles`() async throws {
        let telemetry = start()
        telemetry.setUser(id: String(repeating: "é", count: 300), roles: (1...20).map { "role-\($0)" })
        record("long", with: telemetry)
        await telemetry.shutdown()
        for user in try user(on: "long") {
            #expect(user["user.id"]?.stringValue?.utf8.count == 256)
            guard case .array(let roles) = user["user.roles"] else {
                Issue.record("no roles")
                continue
            }
            #expect(roles.count == 16)
        }
    }
}

extension Attributes {
    fileprivate var dictionary: [String: AttributeValue] {
        Dictionary(uniqueKeysWithValues: map { ($0.key, $0.value) })
    }
}

@Suite struct `A feature flag` {
    private let collector = TelemetryCollector()

    @Test func `is recorded with all that the convention names, inside the current span`() async throws {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        telemetry.tracer("shop").withSpan("checkout") { _ in
            telemetry.recordFeatureFlag(
                "button", variant: "green", value: "#00ff00", reason: "TARGETING_MATCH", provider: "Flags",
                setID: "proj-1", version: "7", contextID: "device-1", errorType: "TYPE_MISMATCH", errorMessage: "text",
                addsToSpan: true)
        }
        telemetry.recordFeatureFlag("limit", value: 3)
        await telemetry.shutdown()
        let all: Attributes = [
            "feature_flag.key": "button", "feature_flag.result.variant": "green",
            "feature_flag.result.value": "#00ff00", "feature_flag.result.reason": "targeting_match",
            "feature_flag.provider.name": "Flags", "feature_flag.set.id": "proj-1", "feature_flag.version": "7",
            "feature_flag.context.id": "device-1", "error.type": "type_mismatch", "feature_flag.error.message": "text",
        ]
        let span = try #require(collector.spans(named: "checkout").first)
        let events = collector.events(named: "feature_flag.evaluation")
        #expect(events.count == 2)
        let event = try #require(events.first { $0.attributes["feature_flag.key"] == "button" })
        for element in all { #expect(event.attributes[element.key] == element.value) }
        #expect(event.spanID == span.context.spanID)
        #expect(span.events.map(\.name) == ["feature_flag.evaluation"])
        #expect(span.events.first?.attributes == all)
        let other = try #require(events.first { $0.attributes["feature_flag.key"] == "limit" })
        #expect(other.attributes["feature_flag.result.value"] == 3)
        #expect(other.attributes["feature_flag.result.variant"] == nil)
        #expect(other.spanID == .invalid)
    }

    @Test func `has no secret in its value or its context`() async throws {
        let telemetry = collector.start(TelemetryConfiguration(serviceName: "shop"))
        telemetry.recordFeatureFlag("greeting", value: "Hi jane.doe@example.com", contextID: "jane.doe@example.com")
        await telemetry.shutdown()
        let event = try #require(collector.events(named: "feature_flag.evaluation").first)
        #expect(event.attributes["feature_flag.result.value"] == "Hi REDACTED")
        #expect(event.attributes["feature_flag.context.id"] == "REDACTED")
    }
}
