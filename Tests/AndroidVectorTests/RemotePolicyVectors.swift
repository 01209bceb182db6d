import AstrolabeDeviceConditions
import AstrolabePolicy
import AstrolabePolicyDocument

/// Documents of remote policy with all that is wrong with them, offers to a phone, and decisions of the policy.
struct RemotePolicyVectors {
    var file: VectorFile {
        VectorFile(
            name: "remote",
            sections: [
                ("documents", Self.documents), ("bounds", Self.bounds.map(Self.json)),
                ("offers", PolicyOffers.all.map(Self.offer)), ("policies", Self.policies.map(JSON.string)),
                ("decisions", Self.decisions), ("instruments", Self.instruments),
                ("requests", OpAMPVectors.requests), ("replies", OpAMPVectors.replies),
            ])
    }

    static func document(version: Int = 2, _ rest: String = "") -> String {
        let head = #""schema": 1, "app": "shop", "version": \#(version), "expires": "2026-12-31T00:00:00Z""#
        return rest.isEmpty ? "{\(head)}" : "{\(head), \(rest)}"
    }

    private static func bytes(_ text: String, spaces: Int = 0) -> [UInt8] {
        Array(text.utf8) + [UInt8](repeating: 0x20, count: spaces)
    }

    private static var documents: [JSON] {
        let texts = PolicyTexts.parts.map { document($0) } + PolicyTexts.whole
        return texts.map { reading($0) } + [reading(document(), spaces: PolicyDocument.sizeLimit)]
    }

    /// `[text, spaces after it, findings, document]`.
    private static func reading(_ text: String, spaces: Int = 0) -> JSON {
        let reading = PolicyDocument.read(bytes(text, spaces: spaces))
        return [
            .string(text), JSON(spaces), JSON(reading.findings.map(\.description)),
            reading.document.map(Self.json) ?? .null,
        ]
    }

    private static func json(_ document: PolicyDocument) -> JSON {
        let policy = document.policy
        let requests = document.requests.map { request -> JSON in
            [
                .string(request.id), .string(request.kind.rawValue), .string(request.installation),
                JSON(request.seconds),
            ]
        }
        return .object([
            ("app", .string(document.app)), ("version", JSON(document.version)),
            ("expires", .integer(document.expires)), ("hash", .string(document.hash)),
            ("rates", table(policy.samplingRates) { JSON($0) }),
            ("flushIntervals", table(policy.flushIntervals) { JSON($0.map(seconds)) }),
            ("admission", JSON(policy.admission?.rawValue)),
            ("off", JSON(Instrument.allCases.filter(policy.off.contains).map(\.rawValue))),
            ("offScopes", JSON(policy.offScopes.sorted())), ("triggers", json(policy.triggers)),
            ("requests", .array(requests)),
        ])
    }

    private static func json(_ triggers: RemoteTriggers) -> JSON {
        let flags = [triggers.crashes, triggers.hangs, triggers.runEnds, triggers.errors, triggers.failedRequests]
        let flows = triggers.flows.map { flows in
            JSON.array(flows.map { flow -> JSON in [.string(flow.from), .string(flow.to)] })
        }
        let rules = triggers.rules.map { rule -> JSON in [.string(rule.span), .number(seconds(rule.longerThan))] }
        return .object([
            ("flags", .array(flags.map { $0.map(JSON.boolean) ?? .null })),
            ("slowSpans", JSON(triggers.slowSpans.map(seconds))), ("limitPerHour", optional(triggers.limitPerHour)),
            ("dailyBytes", optional(triggers.dailyBytes)), ("flows", flows ?? .null), ("rules", .array(rules)),
        ])
    }

    private static func optional(_ number: Int?) -> JSON { number.map { JSON($0) } ?? .null }

    private static func table<Value>(_ values: ModeTable<Value>, _ json: (Value) -> JSON) -> JSON {
        [json(values.full), json(values.normal), json(values.reduced), json(values.minimal)]
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }
}

extension RemotePolicyVectors {
    private static var bounds: [RemotePolicyBounds] {
        var ofApp = RemotePolicyBounds()
        ofApp.dailyBytes = 2_000
        ofApp.limitPerHour = 20
        var wide = ofApp
        wide.samplingRates = ModeTable(full: 1, normal: 1, reduced: 0.5, minimal: 0.25)
        wide.flushIntervals = ModeTable(
            full: .seconds(1), normal: .seconds(1), reduced: .seconds(1), minimal: .seconds(1))
        wide.allowsFullRecording = true
        var narrow = ofApp
        narrow.admission = .strict
        narrow.allowsPromotion = false
        return [ofApp, wide, narrow]
    }

    private static func json(_ bounds: RemotePolicyBounds) -> JSON {
        .object([
            ("samplingRates", bounds.samplingRates.map { table($0) { .number($0) } } ?? .null),
            ("flushIntervals", bounds.flushIntervals.map { table($0) { .number(seconds($0)) } } ?? .null),
            ("admission", JSON(bounds.admission?.rawValue)), ("dailyBytes", optional(bounds.dailyBytes)),
            ("limitPerHour", optional(bounds.limitPerHour)), ("allowsPromotion", .boolean(bounds.allowsPromotion)),
            ("allowsFullRecording", .boolean(bounds.allowsFullRecording)),
        ])
    }

    /// `[text, spaces after it, byte of the signature, bytes of it, text of the current document, now, bounds, reason,
    /// description]`. The app has the default configuration, and a signature of ones is valid.
    private static func offer(_ offer: PolicyOffers.Case) -> JSON {
        let bounds = bounds[offer.bounds].filled(from: PolicyConfiguration(), dailyBytes: 0, limitPerHour: 0)
        let gate = PolicyGate(app: "shop", bounds: bounds) { signature, _ in signature.allSatisfy { $0 == 1 } }
        let current = offer.current.flatMap { PolicyDocument.read(bytes($0)).document }
        let offered = PolicyOffer(
            document: bytes(offer.text, spaces: offer.spaces),
            signature: [UInt8](repeating: offer.byte, count: offer.size))
        var refusal: PolicyRefusal?
        if case .failure(let found) = gate.decide(offered, after: current, at: offer.now) { refusal = found }
        return [
            .string(offer.text), JSON(offer.spaces), JSON(Int(offer.byte)), JSON(offer.size), JSON(offer.current),
            .integer(offer.now), JSON(offer.bounds), JSON(refusal?.reason), JSON(refusal?.description),
        ]
    }
}

extension RemotePolicyVectors {
    private static var policies: [String] { PolicyTexts.followed.map { document($0) } }

    /// Conditions in which the modes, the factors and the upload differ.
    private static var conditions: [Conditions] {
        func with(
            _ level: Double, _ source: Power.Source, isSaving: Bool = false, _ thermal: ThermalState,
        ) -> Conditions {
            Conditions(
                network: NetworkPath(.wifi, isExpensive: false, isConstrained: false),
                power: Power(level: level, source: source, isLowPowerMode: isSaving), thermal: thermal, memory: .normal,
                lifecycle: .active)
        }
        return [
            with(0.5, .unplugged, .nominal), with(0.5, .charging, .nominal), with(0.15, .unplugged, .nominal),
            with(0.5, .unplugged, isSaving: true, .nominal), with(0.9, .charging, .serious),
        ]
    }

    private static var decisions: [JSON] {
        var decisions: [JSON] = []
        for place in policies.indices {
            for (index, conditions) in conditions.enumerated() {
                for recordsInFull in [false, true] {
                    decisions.append(decision(place, recordsInFull, conditions, memory: index == 0 ? 3.5 : 7.25))
                }
            }
        }
        return decisions
    }

    /// `[policy, records in full, conditions, reported GB, mode, rate, interval, frame rate, admission, reasons]`.
    private static func decision(
        _ place: Int, _ recordsInFull: Bool, _ conditions: Conditions, memory: Double,
    ) -> JSON {
        var remote = PolicyDocument.read(bytes(policies[place])).document?.policy
        remote?.recordsInFull = recordsInFull
        let decision = CollectionPolicy(PolicyConfiguration(), remote: remote)
            .decision(for: conditions, on: PolicyVectors.phone(memory: memory))
        return [
            JSON(place), .boolean(recordsInFull), PolicyVectors.json(conditions), .number(memory),
            .string(decision.mode.rawValue), .number(decision.samplingRate),
            .number(seconds(decision.flushInterval)), .number(decision.replayFrameRate),
            .string(decision.admission.rawValue), JSON(decision.reasons.map(\.description)),
        ]
    }

    /// `[name, scope]`.
    private static var instruments: [JSON] {
        Instrument.allCases.map { instrument -> JSON in [.string(instrument.rawValue), JSON(instrument.scope)] }
    }
}
