package astrolabe.policy

import astrolabe.Vectors
import astrolabe.conditions.Conditions
import astrolabe.conditions.LifecycleState
import astrolabe.conditions.Medium
import astrolabe.conditions.MemoryPressure
import astrolabe.conditions.NetworkPath
import astrolabe.conditions.Power
import astrolabe.conditions.PowerSource
import astrolabe.conditions.ThermalState
import astrolabe.double
import astrolabe.flag
import astrolabe.int
import astrolabe.ints
import astrolabe.list
import astrolabe.map
import astrolabe.text
import astrolabe.texts
import kotlin.math.ceil
import org.junit.Assert.assertEquals
import org.junit.Test

class PolicyVectorTests {
    private val vectors = Vectors("policy")
    private val policies = vectors.section("configurations").map { CollectionPolicy(configuration(it.map)) }

    @Test
    fun `every decision of the Swift policy is the decision here, reasons included`() {
        val reasons = vectors.section("reasons").texts
        val cases = vectors.section("decisions")
        assertEquals(600, cases.size)
        for (case in cases.map { it.list }) {
            val decision = policies[case[0].int].decision(conditions(case[2].list), ceil(case[1].double))
            val expected = PolicyDecision(
                mode = TelemetryMode.values().first { it.value == case[3].text },
                samplingRate = case[4].double,
                flushInterval = case[5].double,
                upload = UploadPlan(strategy(case[6].text), case[7].flag),
                replayFrameRate = case[8].double,
                breadcrumbs = case[9].int,
                replayFrames = case[10].int,
                budget = BudgetTier.values().first { it.value == case[11].text },
                admission = policies[case[0].int].configuration.admission,
                reasons = case[12].ints.map { reasons[it] }
            )
            assertEquals(case.toString(), expected, decision)
        }
    }

    @Test
    fun `every change of conditions triggers the flushes that it triggers in Swift`() {
        for (case in vectors.section("triggers").map { it.list }) {
            val triggers = policies[case[0].int]
                .flushTriggers(conditions(case[2].list), conditions(case[3].list), ceil(case[1].double))
            assertEquals(case.toString(), case[4].texts, triggers.map { it.value })
        }
    }

    @Test
    fun `every strategy does with each priority what it does in Swift`() {
        for (case in vectors.section("actions").map { it.list }) {
            val priority = UploadPriority.values().first { it.level == case[2].int }
            val action = UploadPlan(strategy(case[0].text), case[1].flag).action(priority)
            assertEquals(case.toString(), case[3].text, action.value)
        }
    }

    @Test
    fun `every kind of record is admitted in each mode as in Swift`() {
        for (case in vectors.section("admissions").map { it.list }) {
            val kind = TelemetryKind.values().first { it.value == case[0].text }
            val mode = TelemetryMode.values().first { it.value == case[2].text }
            val rule = Admission.values().first { it.value == case[4].text }
            val admission = kind.admission(mode, rule, case[5].flag)
            val found = listOf(
                kind.value, kind.priority.level, mode.value, mode.metricIntervalFactor, rule.value, case[5].flag,
                admission.value, admission.admits(isSampled = true), admission.admits(isSampled = false)
            )
            assertEquals(case.map { it.toString() }, found.map { it.toString() })
        }
    }

    private fun strategy(name: String): UploadStrategy = UploadStrategy.values().first { it.value == name }

    private fun configuration(values: Map<*, *>): PolicyConfiguration {
        fun table(name: String) = values[name].list.map { it.double }.let { ModeTable(it[0], it[1], it[2], it[3]) }
        return PolicyConfiguration(
            samplingRates = table("samplingRates"),
            flushIntervals = table("flushIntervals"),
            admission = Admission.values().first { it.value == values["admission"] },
            replayFrameRates = table("replayFrameRates"),
            largeMemoryGB = values["largeMemoryGB"].double,
            lowBatteryLevel = values["lowBatteryLevel"].double,
            criticalBatteryLevel = values["criticalBatteryLevel"].double,
            largeMemoryFactor = values["largeMemoryFactor"].double,
            lowPowerModeFactor = values["lowPowerModeFactor"].double,
            heatFactor = values["heatFactor"].double,
            lowBatteryFactor = values["lowBatteryFactor"].double,
            uploadsOnCellular = values["uploadsOnCellular"].flag,
            isCollectorLocal = values["isCollectorLocal"].flag,
            breadcrumbLimit = values["breadcrumbLimit"].int,
            replayFrameLimit = values["replayFrameLimit"].int
        )
    }

    @Test
    fun `the defaults are those of the Swift configuration`() {
        assertEquals(configuration(vectors.section("configurations")[0].map), PolicyConfiguration())
    }
}

internal fun conditions(row: List<Any?>): Conditions = Conditions(
    NetworkPath(Medium.values().first { it.value == row[0] }, row[1].flag, row[2].flag),
    Power((row[3] as Number?)?.toDouble(), PowerSource.values().first { it.value == row[4] }, row[5].flag),
    ThermalState.values().first { it.value == row[6] },
    MemoryPressure.values().first { it.value == row[7] },
    LifecycleState.values().first { it.value == row[8] }
)
