package astrolabe.testing

import java.io.File
import kotlin.system.exitProcess
import org.junit.Test
import org.junit.runner.Description
import org.junit.runner.JUnitCore
import org.junit.runner.Request
import org.junit.runner.manipulation.Filter
import org.junit.runner.notification.Failure
import org.junit.runner.notification.RunListener

/**
 * Runs the tests of folders of classes, with the options and the output of Swift's test bundles, so that
 * `Scripts/run-tests` reads both alike.
 *
 *     TestRunner CLASSES[:CLASSES]... [--filter PATTERN]... [--skip PATTERN]... [--xunit-output FILE]
 *
 * Exit status: 0 if all tests passed, 1 if not, 69 if no test matches.
 */
public fun main(arguments: Array<String>) {
    val options = Options(arguments.toList())
    val listener = Listener()
    val core = JUnitCore()
    core.addListener(listener)
    for (type in options.folders.flatMap { testClasses(File(it)) }) {
        val tests = type.methods.filter { it.isAnnotationPresent(Test::class.java) }
        val chosen = tests.filter { options.includes(name(type.simpleName, it.name)) }.map { it.name }.toSet()
        if (chosen.isNotEmpty()) core.run(Request.aClass(type).filterWith(NameFilter(chosen)))
    }
    options.report?.let { File(it).writeText(listener.xml()) }
    exitProcess(if (listener.cases.isEmpty()) 69 else if (listener.cases.any { it.failure != null }) 1 else 0)
}

private fun name(type: String, method: String): String = "AndroidTests.$type/`$method`"

private fun testClasses(folder: File): List<Class<*>> =
    folder.walk().filter { it.name.endsWith("Tests.class") }
        .map { Class.forName(it.relativeTo(folder).path.removeSuffix(".class").replace(File.separatorChar, '.')) }
        .sortedBy { it.name }.toList()

private class Options(arguments: List<String>) {
    val folders = arguments.first().split(File.pathSeparator)
    val report: String?
    private val filters: List<Regex>
    private val skips: List<Regex>

    init {
        val pairs = arguments.drop(1).chunked(2).map { Pair(it[0], it[1]) }
        filters = pairs.filter { it.first == "--filter" }.map { Regex(it.second) }
        skips = pairs.filter { it.first == "--skip" }.map { Regex(it.second) }
        report = pairs.lastOrNull { it.first == "--xunit-output" }?.second
    }

    fun includes(name: String): Boolean =
        (filters.isEmpty() || filters.any { it.containsMatchIn(name) }) && skips.none { it.containsMatchIn(name) }
}

private class NameFilter(private val methods: Set<String>) : Filter() {
    override fun shouldRun(description: Description): Boolean =
        description.methodName == null || description.methodName in methods

    override fun describe(): String = "tests by name"
}

private class Case(val type: String, val method: String, val started: Long = System.nanoTime()) {
    var seconds = 0.0
    var failure: String? = null
    var isSkipped = false
}

private class Listener : RunListener() {
    val cases = mutableListOf<Case>()

    override fun testStarted(description: Description) {
        cases.add(Case(description.testClass.simpleName, description.methodName))
    }

    override fun testFailure(failure: Failure) {
        val case = cases.lastOrNull() ?: Case("Tests", failure.description.displayName).also { cases.add(it) }
        val place = failure.exception.stackTrace.firstOrNull { it.className.startsWith("astrolabe.") }
        case.failure = failure.message ?: failure.exception.toString()
        println("✘ Test \"${case.method}\" recorded an issue at ${place?.fileName}:${place?.lineNumber}: " +
            "${failure.exception.javaClass.simpleName}")
        println("↳ ${case.failure}")
    }

    override fun testAssumptionFailure(failure: Failure) {
        val case = cases.last()
        case.isSkipped = true
        println("➜ Test \"${case.method}\" skipped: \"${failure.message}\"")
    }

    override fun testFinished(description: Description) {
        val case = cases.last()
        case.seconds = (System.nanoTime() - case.started) / 1e9
        if (case.failure == null && !case.isSkipped) println("✔ Test \"${case.method}\" passed")
    }

    fun xml(): String = cases.joinToString("\n", "<testsuites><testsuite>\n", "\n</testsuite></testsuites>\n") { case ->
        val inner = case.failure?.let { "<failure message=\"${escaped(it)}\"/>" } ?: if (case.isSkipped) "<skipped/>" else ""
        val names = "classname=\"AndroidTests.${escaped(case.type)}\" name=\"${escaped(case.method)}\""
        "<testcase $names time=\"${case.seconds}\">$inner</testcase>"
    }

    private fun escaped(text: String): String =
        text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;").filter { it >= ' ' }
}
