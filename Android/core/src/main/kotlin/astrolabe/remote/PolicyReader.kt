package astrolabe.remote

import astrolabe.policy.Admission
import astrolabe.policy.Instrument
import astrolabe.policy.ModeTable
import astrolabe.policy.RemotePolicy
import astrolabe.policy.RemoteTriggers
import astrolabe.policy.TelemetryMode

/** Makes a document of JSON, and collects what is wrong. */
internal class PolicyReader {
    private val values = ValueReader()

    val findings: List<PolicyFinding> get() = values.findings

    fun document(json: StrictJson, hash: String): PolicyDocument {
        val members = values.members(json, "$")
        val schema = members.required("schema")?.let { values.integer(it, "$.schema", 1..Long.MAX_VALUE) }
        if (schema != null && schema != PolicyDocument.SCHEMA) {
            values.report("$.schema", "expected ${PolicyDocument.SCHEMA}, found $schema")
        }
        val app = members.required("app")?.let { values.text(it, "$.app") } ?: ""
        val version = members.required("version")?.let { values.integer(it, "$.version", 1..Long.MAX_VALUE) } ?: 0
        val expires = members.required("expires")?.let { values.time(it, "$.expires") } ?: 0
        val policy = policy(members, RemotePolicy(version, hash))
        val requests = members.take("requests")?.let { requests(it) } ?: emptyList()
        members.reportUnknown()
        return PolicyDocument(app, version, expires, policy, requests).also { findContradictions(it) }
    }

    private fun policy(members: MemberReader, empty: RemotePolicy): RemotePolicy {
        val rates = members.take("rates")?.let { json ->
            table(json, "$.rates", "at most", { value, above -> value <= above }) { value, path ->
                values.number(value, path, 0.0, 1.0)
            }
        }
        val intervals = members.take("flushIntervals")?.let { json ->
            table(json, "$.flushIntervals", "at least", { value, above -> value >= above }) { value, path ->
                values.number(value, path, 1.0, DAY)
            }
        }
        return empty.copy(
            samplingRates = rates ?: empty.samplingRates,
            flushIntervals = intervals ?: empty.flushIntervals,
            admission = members.take("admission")?.let { json ->
                values.choice(json, "$.admission", Admission.values().toList()) { it.value }
            },
            off = members.take("off")?.let { json ->
                values.list(json, "$.off") { element, path ->
                    values.choice(element, path, Instrument.values().toList()) { it.value }
                }.toSet()
            } ?: emptySet(),
            offScopes = members.take("offScopes")?.let { json ->
                values.list(json, "$.offScopes", values::text).toSet()
            } ?: emptySet(),
            triggers = members.take("triggers")?.let { triggers(it) } ?: RemoteTriggers()
        )
    }

    /** Reads one value for each mode, and reports a mode that collects or sends more than a mode above it. */
    private fun table(
        json: StrictJson,
        path: String,
        relation: String,
        isInOrder: (value: Double, above: Double) -> Boolean,
        read: (StrictJson, String) -> Double?
    ): ModeTable<Double?> {
        val members = values.members(json, path)
        val table = MODES.map { mode -> members.take(mode.value)?.let { read(it, "$path.${mode.value}") } }
        members.reportUnknown()
        var above: Pair<TelemetryMode, Double>? = null
        for ((mode, value) in MODES.zip(table)) {
            if (value == null) continue
            if (above != null && !isInOrder(value, above.second)) {
                values.report("$path.${mode.value}", "expected $relation the value of ${above.first.value}")
            }
            above = Pair(mode, value)
        }
        return ModeTable(table[0], table[1], table[2], table[3])
    }

    private fun triggers(json: StrictJson): RemoteTriggers {
        val path = "$.triggers"
        val members = values.members(json, path)
        fun flag(key: String) = members.take(key)?.let { values.flag(it, "$path.$key") }
        fun integer(key: String, most: Long) = members.take(key)?.let { values.integer(it, "$path.$key", 0..most) }
        val triggers = RemoteTriggers(
            crashes = flag("crashes"),
            hangs = flag("hangs"),
            runEnds = flag("runEnds"),
            errors = flag("errors"),
            failedRequests = flag("failedRequests"),
            slowSpans = members.take("slowSpans")?.let { values.number(it, "$path.slowSpans", SHORTEST, DAY) },
            limitPerHour = integer("limitPerHour", 1_000),
            dailyBytes = integer("dailyBytes", 1_073_741_824),
            flows = members.take("flows")?.let { values.list(it, "$path.flows", ::flow) },
            rules = members.take("rules")?.let { values.list(it, "$path.rules", ::rule) } ?: emptyList()
        )
        members.reportUnknown()
        return triggers
    }

    private fun flow(json: StrictJson, path: String): RemoteTriggers.Flow? {
        val members = values.members(json, path)
        val from = members.required("from")?.let { values.text(it, "$path.from") }
        val to = members.required("to")?.let { values.text(it, "$path.to") }
        members.reportUnknown()
        if (from == null || to == null) return null
        if (from.canonical == to.canonical) {
            values.report(path, "expected two different screens, found \"$from\" twice")
        }
        return RemoteTriggers.Flow(from, to)
    }

    private fun rule(json: StrictJson, path: String): RemoteTriggers.Rule? {
        val members = values.members(json, path)
        val span = members.required("span")?.let { values.text(it, "$path.span") }
        val bound = members.required("longerThan")?.let { values.number(it, "$path.longerThan", SHORTEST, DAY) }
        members.reportUnknown()
        return if (span == null || bound == null) null else RemoteTriggers.Rule(span, bound)
    }

    private fun requests(json: StrictJson): List<PolicyDocument.Request> {
        val requests = values.list(json, "$.requests", ::request)
        val known = mutableSetOf<String>()
        for ((index, request) in requests.withIndex()) {
            if (known.add(request.id.canonical)) continue
            values.report("$.requests[$index].id", "expected an id of its own, found \"${request.id}\" twice")
        }
        return requests
    }

    private fun request(json: StrictJson, path: String): PolicyDocument.Request? {
        val members = values.members(json, path)
        val id = members.required("id")?.let { values.text(it, "$path.id") }
        val kind = members.required("kind")?.let { value ->
            values.choice(value, "$path.kind", PolicyDocument.RequestKind.values().toList()) { it.value }
        }
        val installation = members.required("installation")?.let { values.text(it, "$path.installation") }
        var seconds: Long? = null
        if (kind == PolicyDocument.RequestKind.RECORD) {
            seconds = members.required("seconds")?.let {
                values.integer(it, "$path.seconds", 1..PolicyDocument.LONGEST_RECORDING)
            }
        }
        members.reportUnknown()
        if (id == null || kind == null || installation == null) return null
        return PolicyDocument.Request(id, kind, installation, seconds ?: 0)
    }

    /** Reports parts of a document that exclude each other. */
    private fun findContradictions(document: PolicyDocument) {
        val policy = document.policy
        for ((index, request) in document.requests.withIndex()) {
            val isPromotion = request.kind == PolicyDocument.RequestKind.PROMOTE
            val problem = when {
                policy.isAllOff -> "expected no request while \"all\" is off"
                isPromotion && Instrument.RECORDER in policy.off ->
                    "expected no \"promote\" while \"recorder\" is off"
                !isPromotion && Instrument.SPANS in policy.off -> "expected no \"record\" while \"spans\" is off"
                else -> null
            }
            if (problem != null) values.report("$.requests[$index].kind", problem)
        }
        if (policy.turnsOff(Instrument.RECORDER) && policy.triggers != RemoteTriggers()) {
            values.report("$.triggers", "expected no triggers while the recorder is off")
        }
        if (policy.isAllOff && policy.off.size > 1) values.report("$.off", "expected \"all\" alone")
    }

    private companion object {
        const val DAY = 86_400.0

        /** The least seconds of a slow span. */
        const val SHORTEST = 0.001

        /** The modes in the order of a table. */
        val MODES = listOf(TelemetryMode.FULL, TelemetryMode.NORMAL, TelemetryMode.REDUCED, TelemetryMode.MINIMAL)
    }
}
