package astrolabe.android

import astrolabe.Vectors
import java.beans.Introspector
import java.io.File
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

/** The Android source set runs on API level 24: what is newer is used under a check of the level. */
class AndroidLevelTests {
    private val members = sources("Android/android/src/stubs", "java").flatMap { newMembers(it.readText()) }.toMap()

    private fun sources(folder: String, suffix: String): List<File> =
        Vectors.file(folder).walk().filter { it.extension == suffix }.toList()

    @Test
    fun `no API above level 24 is used without a check of the level`() {
        val files = sources("Android/android/src/main", "kt")
        assertTrue(files.size >= 5)
        val found = files.flatMap { file -> LevelCheck(members).unchecked(file.readText()).map { "${file.name}: $it" } }
        assertEquals(emptyList<String>(), found)
    }

    @Test
    fun `the stubs say which members are newer, and the sources use some of them`() {
        assertEquals(29, members["addThermalStatusListener"])
        assertEquals(29, members["currentThermalStatus"])
        assertEquals(28, members["longVersionCode"])
        val text = sources("Android/android/src/main", "kt").joinToString("\n") { it.readText() }
        assertTrue(members.keys.any { it in text })
    }

    @Test
    fun `a use outside of a check, after it, or under a check of a lower level is found`() {
        val source = """
            if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.Q) {
                power.addThermalStatusListener { }
            }
            power.currentThermalStatus
            if (Build.VERSION.SDK_INT >= 28) {
                info.longVersionCode
                if (isOn) {
                    power.addThermalStatusListener { }
                }
            } else {
                info.longVersionCode
            }
            // power.currentThermalStatus
        """.trimIndent()
        val found = LevelCheck(members).unchecked(source)
        assertEquals(
            listOf(
                "line 4: currentThermalStatus needs level 29", "line 8: addThermalStatusListener needs level 29",
                "line 11: longVersionCode needs level 28"
            ),
            found
        )
    }

    /** The names of members that a stub marks, also as properties of Kotlin, with their levels. */
    private fun newMembers(stub: String): List<Pair<String, Int>> =
        Regex("""@astrolabe\.stubs\.Since\((\d+)\)\s+([^;{=]*)""").findAll(stub).flatMap { match ->
            val (level, declaration) = match.destructured
            val name = Regex("""\w+""").findAll(declaration.substringBefore("(")).last().value
            val property = name.removePrefix("get")
            val names = setOf(name, Introspector.decapitalize(property))
            names.map { Pair(it, level.toInt()) }.asSequence()
        }.toList()
}

/** Finds uses of members outside of `if (Build.VERSION.SDK_INT >= …) { … }`. */
private class LevelCheck(private val members: Map<String, Int>) {
    private val check = Regex("""if \(Build\.VERSION\.SDK_INT >= (?:Build\.VERSION_CODES\.)?(\w+)\) \{""")
    private val codes = mapOf("P" to 28, "Q" to 29, "R" to 30, "S" to 31, "UPSIDE_DOWN_CAKE" to 34)

    fun unchecked(source: String): List<String> {
        val found = mutableListOf<String>()
        // The level that each open brace guarantees.
        val levels = mutableListOf(24)
        for ((index, line) in source.lines().withIndex()) {
            val code = line.substringBefore("//")
            val guard = check.find(code)?.groupValues?.get(1)?.let { codes[it] ?: it.toInt() }
            val isClosingFirst = code.trimStart().startsWith("}")
            if (isClosingFirst) levels.removeAt(levels.size - 1)
            // An earlier platform does not call what overrides a newer member.
            val isUse = listOf("import ", "*", "override fun ").none { code.trimStart().startsWith(it) }
            if (isUse) {
                for ((name, level) in members) {
                    if (level > levels.last() && Regex("""\b$name\b""").containsMatchIn(code)) {
                        found.add("line ${index + 1}: $name needs level $level")
                    }
                }
            }
            for (character in if (isClosingFirst) code.trimStart().drop(1) else code) {
                if (character == '{') levels.add(maxOf(levels.last(), guard ?: 0))
                if (character == '}') levels.removeAt(levels.size - 1)
            }
        }
        return found
    }
}
