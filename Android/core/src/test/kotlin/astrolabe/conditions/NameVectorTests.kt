package astrolabe.conditions

import astrolabe.Vectors
import astrolabe.double
import astrolabe.flag
import astrolabe.http.HeaderName
import astrolabe.int
import astrolabe.list
import astrolabe.map
import astrolabe.queue.QueueCounter
import astrolabe.queue.QueueDrop
import astrolabe.text
import org.junit.Assert.assertEquals
import org.junit.Test

class NameVectorTests {
    private val vectors = Vectors("names")

    @Test
    fun `attributes, headers and counters have the names that they have in Swift`() {
        assertEquals(expected("attributes"), constants(AttributeKey))
        assertEquals(expected("headers"), constants(HeaderName))
        val drops = QueueDrop.values().associate { it.name to it.counter }
        assertEquals(expected("counters"), constants(QueueCounter) + drops)
    }

    private fun expected(section: String): Map<String, String> =
        vectors.section(section).map { it.list }.associate { it[0].text to it[1].text }

    private fun constants(holder: Any): Map<String, String> =
        holder.javaClass.fields.filter { it.type == String::class.java }.associate { it.name to it.get(null) as String }

    @Test
    fun `a device has the attributes that it has in Swift`() {
        for (case in vectors.section("devices").map { it.map }) {
            val context = DeviceContext(
                osVersion = "14", sdkVersion = 34, deviceModel = "One", deviceManufacturer = "Example",
                deviceBrand = "example", screenWidthPx = 1_080, screenHeightPx = 2_400,
                screenDensity = case["scale"].double, isEmulator = case["isEmulator"].flag, processorCount = 8,
                totalMemoryMB = case["memoryMB"].int.toLong(),
                power = Power(
                    (case["level"] as Number?)?.toDouble(), PowerSource.values().first { it.value == case["source"] },
                    case["lowPower"].flag
                ),
                thermal = ThermalState.FAIR, orientation = Orientation.PORTRAIT, locale = "en_US",
                timezone = "Europe/Berlin", carrier = case["carrier"] as String?, appVersion = case["appVersion"].text,
                buildNumber = "42"
            )
            assertEquals(case["installedGB"].double, context.installedMemoryGB, 0.0)
            assertEquals(case["moment"].map.mapValues { it.value }, context.momentAttributes)
            val resource = context.resourceAttributes
            assertEquals(case["resource"].map, resource.filterKeys { it in case["resource"].map })
            // What Swift's context does not have.
            val own = setOf("astrolabe.device.is_low_ram", "astrolabe.device.brand", "android.os.api_level")
            assertEquals(own, resource.keys - case["resource"].map.keys)
        }
    }
}
