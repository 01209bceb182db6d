package astrolabe.remote

import astrolabe.Vectors
import astrolabe.double
import astrolabe.flag
import astrolabe.int
import astrolabe.list
import astrolabe.map
import astrolabe.policy.Admission
import astrolabe.policy.CollectionPolicy
import astrolabe.policy.Instrument
import astrolabe.policy.ModeTable
import astrolabe.policy.PolicyConfiguration
import astrolabe.policy.RemotePolicy
import astrolabe.policy.RemoteTriggers
import astrolabe.policy.conditions
import astrolabe.text
import astrolabe.texts
import astrolabe.wire.ProtobufFault
import kotlin.math.ceil
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

class RemotePolicyVectorTests {
    private val vectors = Vectors("remote")

    @Test
    fun `every document is read or refused as in Swift, with the same findings`() {
        val cases = vectors.section("documents").map { it.list }
        assertTrue("${cases.size} documents", cases.size > 60)
        for (case in cases) {
            val reading = PolicyDocument.read(bytes(case[0], case[1]))
            assertEquals(case.toString(), case[2].texts, reading.findings.map { it.toString() })
            assertEquals(case.toString(), case[3]?.let { document(it.map) }, reading.document)
        }
    }

    @Test
    fun `every offer is followed or refused as in Swift, with the same reason`() {
        val bounds = vectors.section("bounds").map { bounds(it.map) }
        val cases = vectors.section("offers").map { it.list }
        for (case in cases) {
            val gate = PolicyGate("shop", PolicyConfiguration(), bounds[case[6].int]) { signature, _ ->
                signature.all { it == 1.toByte() }
            }
            val signature = ByteArray(case[3].int) { case[2].int.toByte() }
            val current = case[4]?.let { PolicyDocument.read(bytes(it, 0)).document }
            val decided = gate.decide(PolicyOffer(bytes(case[0], case[1]), signature), current, case[5].long)
            val refusal = (decided as? GateDecision.Refused)?.refusal
            val expected = Pair(case[7] as String?, case[8] as String?)
            assertEquals(case.toString(), expected, Pair(refusal?.reason?.value, refusal?.description))
        }
        val reasons = cases.mapNotNull { it[7] as String? }.toSet()
        assertEquals(RefusalReason.values().map { it.value }.toSet(), reasons)
    }

    @Test
    fun `every decision under a document is that of Swift, reasons included`() {
        val policies = vectors.section("policies").texts.map { text ->
            requireNotNull(PolicyDocument.read(text.toByteArray()).document) { text }.policy
        }
        val cases = vectors.section("decisions").map { it.list }
        assertTrue("${cases.size} decisions", cases.size > 60)
        for (case in cases) {
            val remote = policies[case[0].int].copy(recordsInFull = case[1].flag)
            val decision = CollectionPolicy(PolicyConfiguration(), remote)
                .decision(conditions(case[2].list), ceil(case[3].double))
            assertEquals(remote, decision.remote)
            val found = listOf(
                decision.mode.value, decision.samplingRate, decision.flushInterval, decision.replayFrameRate,
                decision.admission.value, decision.reasons
            )
            assertEquals(case.toString(), case.subList(4, 10), found)
        }
    }

    @Test
    fun `the instruments and their scopes are those of Swift`() {
        val expected = vectors.section("instruments").map { it.list }
        assertEquals(expected, Instrument.values().map { listOf(it.value, it.scope) })
    }

    @Test
    fun `every message to an OpAMP server has the bytes that it has in Swift`() {
        val uid = ByteArray(16) { (it + 1).toByte() }
        val description = AgentDescription(
            mapOf("service.name" to "shop", "service.version" to "1.4"),
            mapOf("os.name" to "Android", "device.model.identifier" to "Pixel 9 é")
        )
        for (case in vectors.section("requests").map { it.list }) {
            val error = case[3].text
            val state = if (error == "") RemoteConfigStatus.State.APPLIED else RemoteConfigStatus.State.FAILED
            val status = case[2]?.let { RemoteConfigStatus(unhex(it.text), state, error) }
            val message = AgentToServer(uid, case[0].long, if (case[1].flag) description else null, status)
            assertEquals(case.toString(), case[4].text, hex(message.bytes))
        }
    }

    @Test
    fun `every response of an OpAMP server is read or refused as in Swift`() {
        val cases = vectors.section("replies").map { it.list }
        assertTrue("${cases.size} responses", cases.size > 20)
        for (case in cases) {
            val found = try {
                val message = ServerToAgent.read(unhex(case[0].text))
                val config = message.remoteConfig
                listOf(
                    null, config?.entries?.get("policy")?.let { String(it) },
                    config?.entries?.get("policy")?.let { hex(config.entries["policy.signature"] ?: ByteArray(0)) },
                    config?.hash?.let { hex(it) }, message.asksForDescription, hex(message.newInstanceUid),
                    message.error?.message, message.error?.retryAfter
                )
            } catch (fault: ProtobufFault) {
                listOf(fault.message)
            }
            assertEquals(case.toString(), case.drop(1), found)
        }
    }

    private fun hex(bytes: ByteArray): String = bytes.joinToString("") { String.format("%02x", it) }

    private fun unhex(text: String): ByteArray =
        text.chunked(2).map { it.toInt(radix = 16).toByte() }.toByteArray()

    private val Any?.long: Long get() = (this as Number).toLong()
    private val Any?.optional: Double? get() = this?.double

    private fun bytes(text: Any?, spaces: Any?): ByteArray = text.text.toByteArray() + ByteArray(spaces.int) { 0x20 }

    private fun table(values: Any?): ModeTable<Double?> =
        values.list.map { it.optional }.let { ModeTable(it[0], it[1], it[2], it[3]) }

    private fun fullTable(values: Any?): ModeTable<Double>? =
        values?.list?.map { it.double }?.let { ModeTable(it[0], it[1], it[2], it[3]) }

    private fun admission(name: Any?): Admission? = Admission.values().firstOrNull { it.value == name }

    private fun document(values: Map<*, *>): PolicyDocument {
        val policy = RemotePolicy(
            version = values["version"].long,
            hash = values["hash"].text,
            samplingRates = table(values["rates"]),
            flushIntervals = table(values["flushIntervals"]),
            admission = admission(values["admission"]),
            off = Instrument.values().filter { it.value in values["off"].list }.toSet(),
            offScopes = values["offScopes"].texts.toSet(),
            triggers = triggers(values["triggers"].map)
        )
        val requests = values["requests"].list.map { it.list }.map { request ->
            val kind = PolicyDocument.RequestKind.values().first { it.value == request[1] }
            PolicyDocument.Request(request[0].text, kind, request[2].text, request[3].long)
        }
        return PolicyDocument(values["app"].text, policy.version, values["expires"].long, policy, requests)
    }

    private fun triggers(values: Map<*, *>): RemoteTriggers {
        val flags = values["flags"].list.map { it as Boolean? }
        return RemoteTriggers(
            flags[0], flags[1], flags[2], flags[3], flags[4], values["slowSpans"].optional,
            values["limitPerHour"] as Long?, values["dailyBytes"] as Long?,
            values["flows"]?.list?.map { RemoteTriggers.Flow(it.list[0].text, it.list[1].text) },
            values["rules"].list.map { RemoteTriggers.Rule(it.list[0].text, it.list[1].double) }
        )
    }

    private fun bounds(values: Map<*, *>): RemotePolicyBounds = RemotePolicyBounds(
        fullTable(values["samplingRates"]), fullTable(values["flushIntervals"]), admission(values["admission"]),
        values["dailyBytes"] as Long?, values["limitPerHour"] as Long?, values["allowsPromotion"].flag,
        values["allowsFullRecording"].flag
    )
}
