package astrolabe.policy

import astrolabe.conditions.Conditions
import astrolabe.conditions.LifecycleState
import astrolabe.conditions.Medium
import astrolabe.conditions.NetworkPath
import astrolabe.conditions.Power
import astrolabe.conditions.PowerSource
import org.junit.Assert.assertEquals
import org.junit.Test

class RemotePolicyTests {
    private val conditions = Conditions(
        NetworkPath(Medium.WIFI), Power(0.8, PowerSource.UNPLUGGED), lifecycle = LifecycleState.ACTIVE
    )

    private fun admitted(remote: RemotePolicy?, scope: String = ""): List<TelemetryKind> {
        val decision = CollectionPolicy(PolicyConfiguration(), remote).decision(conditions, installedMemoryGB = 4.0)
        return TelemetryKind.values().filter { decision.admits(it, isSampled = true, scope = scope) }
    }

    private fun off(vararg instruments: Instrument) = RemotePolicy(version = 1, off = instruments.toSet())

    @Test
    fun `kill switches drop the records of a kind`() {
        val all = TelemetryKind.values().toList()
        assertEquals(all, admitted(null))
        assertEquals(all, admitted(off(Instrument.REPLAY)))
        assertEquals(all - TelemetryKind.TRACE, admitted(off(Instrument.SPANS)))
        assertEquals(all - TelemetryKind.METRIC, admitted(off(Instrument.METRICS)))
        assertEquals(listOf(TelemetryKind.METRIC, TelemetryKind.TRACE), admitted(off(Instrument.EVENTS)))
        assertEquals(emptyList<TelemetryKind>(), admitted(off(Instrument.ALL)))
    }

    @Test
    fun `kill switches drop the records of a scope, and of no other`() {
        val all = TelemetryKind.values().toList()
        val remote = RemotePolicy(version = 1, off = setOf(Instrument.HTTP), offScopes = setOf("io.example.scroll"))
        assertEquals(emptyList<TelemetryKind>(), admitted(remote, "astrolabe.http"))
        assertEquals(emptyList<TelemetryKind>(), admitted(remote, "io.example.scroll"))
        assertEquals(all, admitted(remote, "io.example"))
    }

    @Test
    fun `numbers have the text that Swift writes`() {
        val numbers = listOf(0.0, 1.0, 0.05, 0.1 + 0.2, 120.5, 86_400.0, 12_345_678.0, 0.0001, 0.00005, 0.0000125, 2e-12)
        val texts = listOf(
            "0.0", "1.0", "0.05", "0.30000000000000004", "120.5", "86400.0", "12345678.0", "0.0001", "5e-05", "1.25e-05",
            "2e-12"
        )
        assertEquals(texts, numbers.map { swiftText(it) })
    }
}
