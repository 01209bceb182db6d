package astrolabe.conditions

import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Test

class PlatformMappingTests {
    @Test
    fun `levels of onTrimMemory are pressure, but a hidden user interface is not`() {
        val levels = listOf(0, 5, 10, 15, 20, 40, 60, 80)
        val pressures = levels.map { PlatformMapping.memoryPressure(it, apiLevel = 33) }
        val (normal, warning, critical) = MemoryPressure.values()
        assertEquals(listOf(normal, warning, warning, critical, normal, warning, warning, critical), pressures)
    }

    @Test
    fun `from level 34 on no level of onTrimMemory is pressure, and low memory is critical`() {
        val (normal, warning, critical) = MemoryPressure.values()
        for (level in listOf(0, 20, 40)) assertEquals(normal, PlatformMapping.memoryPressure(level, apiLevel = 34))
        assertEquals(critical, PlatformMapping.memoryPressure(isLow = true, before = normal, apiLevel = 34))
        assertEquals(warning, PlatformMapping.memoryPressure(isLow = true, before = warning, apiLevel = 33))
        for (level in listOf(33, 34)) {
            assertEquals(normal, PlatformMapping.memoryPressure(isLow = false, before = critical, apiLevel = level))
        }
    }

    @Test
    fun `the seven thermal statuses are the four states`() {
        val (nominal, fair, serious, critical) = ThermalState.values()
        assertEquals(
            listOf(nominal, fair, serious, serious, critical, critical, critical),
            (0..6).map { PlatformMapping.thermalState(it) }
        )
    }

    @Test
    fun `a battery that says nothing is unknown, and not empty`() {
        assertNull(PlatformMapping.batteryLevel(-1, 100))
        assertNull(PlatformMapping.batteryLevel(50, 0))
        assertEquals(0.5, PlatformMapping.batteryLevel(50, 100)!!, 0.0)
        assertNull(Power(level = Double.NaN).level)
        assertEquals(PowerSource.UNKNOWN, PlatformMapping.powerSource(-1, isPlugged = true))
    }

    @Test
    fun `a battery that is kept at a limit is on external power`() {
        val plugged = (1..5).map { PlatformMapping.powerSource(it, isPlugged = true) }
        val alone = (1..5).map { PlatformMapping.powerSource(it, isPlugged = false) }
        val (charging, full, unplugged, unknown) = PowerSource.values()
        assertEquals(listOf(unknown, charging, unplugged, full, full), plugged)
        assertEquals(listOf(unknown, charging, unplugged, unplugged, full), alone)
    }

    @Test
    fun `observers of the store see each change once, with what was before`() {
        val store = ConditionsStore()
        val seen = mutableListOf<Pair<MemoryPressure, MemoryPressure>>()
        val end = store.observe { before, after -> seen.add(Pair(before.memory, after.memory)) }
        store.update { it.copy(memory = MemoryPressure.WARNING) }
        store.update { it.copy(memory = MemoryPressure.WARNING) }
        end()
        store.update { it.copy(memory = MemoryPressure.CRITICAL) }
        assertEquals(listOf(Pair(MemoryPressure.NORMAL, MemoryPressure.WARNING)), seen)
    }
}
