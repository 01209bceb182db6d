package astrolabe.demo

import java.io.File
import kotlin.system.exitProcess

/**
 * Plays a trip of an Android phone against the shop's backend, and sends its telemetry to a console.
 *
 *     Scripts/android demo --shop http://127.0.0.1:8080 --console http://127.0.0.1:4318 --folder FOLDER
 *
 * The phone is a process of its own. It shops, loses its network, and is killed while records wait in its queue. The
 * second process of the phone finds them, gets its network back, and places the order.
 */
public fun main(arguments: Array<String>) {
    val options = arguments.toList().chunked(2).filter { it.size == 2 }.associate { Pair(it[0], it[1]) }
    val settings = try {
        DemoSettings(options)
    } catch (failure: IllegalArgumentException) {
        System.err.println("demo: ${failure.message}")
        exitProcess(2)
    }
    val role = options["--role"]
    if (role != null) {
        Trip(Phone(settings)).run(role)
        exitProcess(0)
    }
    settings.folder.mkdirs()
    val killed = start(settings, "first")
    if (killed != KILLED) fail("the phone ended with status $killed; expected it to be killed")
    println("The phone was killed.")
    val status = start(settings, "second")
    if (status != 0) fail("the phone ended with status $status")
}

/** 128 and the number of SIGKILL. */
private const val KILLED = 137

private fun fail(message: String): Nothing {
    System.err.println("demo: $message")
    throw IllegalStateException(message)
}

private fun start(settings: DemoSettings, role: String): Int {
    val java = File(System.getProperty("java.home"), "bin/java").path
    val command = listOf(
        java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-classpath", System.getProperty("java.class.path"),
        "astrolabe.demo.MainKt", "--shop", settings.shop, "--console", settings.console, "--folder",
        settings.folder.path, "--role", role
    )
    return ProcessBuilder(command).inheritIO().start().waitFor()
}

/**
 * What the demo is told.
 *
 * @property folder Where the phone keeps its queue and its session.
 */
internal class DemoSettings(options: Map<String, String>) {
    val shop: String = required(options, "--shop")
    val console: String = required(options, "--console")
    val folder: File = File(required(options, "--folder"))

    private fun required(options: Map<String, String>, name: String): String =
        requireNotNull(options[name]) { "expected $name; run Scripts/android demo --shop URL --console URL --folder F" }
            .removeSuffix("/")
}
