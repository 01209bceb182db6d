package astrolabe.otel

import java.io.File
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

/** Plain Kotlin runs on API level 24 too, without the classes and methods of Java that Android has from a later one on. */
class PlatformLevelTests {
    private val later = Regex(
        """\bjava\.(time|nio\.file|net\.http|util\.Base64|util\.concurrent\.Flow|lang\.(ProcessHandle|StackWalker|invoke))\b""" +
            """|\.(readAllBytes|readNBytes|removeFirst|removeLast|transferTo)\("""
    )

    private fun uses(text: String): List<String> =
        text.lines().filter { !isComment(it.trim()) }.flatMap { line -> later.findAll(line).map { it.value }.toList() }

    private fun isComment(line: String): Boolean = listOf("/*", "*", "//").any { line.startsWith(it) }

    @Test
    fun `the core and the exporters name nothing of Java that came after level 24`() {
        val repository = File(System.getProperty("astrolabe.repository") ?: "../..")
        val files = listOf("core", "otel").flatMap { module ->
            File(repository, "Android/$module/src/main").walk().filter { it.extension == "kt" }.toList()
        }
        assertTrue("${files.size} files", files.size > 50)
        val found = files.associate { it.name to uses(it.readText()) }.filterValues { it.isNotEmpty() }
        assertEquals(emptyMap<String, List<String>>(), found)
    }

    @Test
    fun `a later class or method is found`() {
        val text = "// java.time\nimport java.time.Instant\nimport java.util.Base64\nval last = list.removeLast()"
        assertEquals(listOf("java.time", "java.util.Base64", ".removeLast("), uses(text))
    }
}
