package astrolabe.demo

import astrolabe.Vectors
import astrolabe.list
import astrolabe.map
import astrolabe.support.Json
import astrolabe.text
import java.io.File
import java.net.URL
import java.util.concurrent.TimeUnit
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Assume.assumeTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

/** Runs the demo against the shop's backend and the console, as processes of their own. */
class DemoTests {
    @get:Rule
    val folder = TemporaryFolder()

    private val executable = System.getenv("ASTROLABE_EXECUTABLE")?.let { File(it) } ?: Vectors.file(".build/debug/astrolabe")
    private val servers = mutableListOf<Process>()

    @After
    fun stop() {
        for (server in servers) {
            server.destroy()
            if (!server.waitFor(10, TimeUnit.SECONDS)) server.destroyForcibly()
        }
    }

    /** Starts a command of the executable, and returns its address when it says that it listens. */
    private fun serve(vararg arguments: String, collector: String? = null): String {
        val builder = ProcessBuilder(listOf(executable.path) + arguments).redirectErrorStream(true)
        builder.environment()["XDG_STATE_HOME"] = folder.newFolder().path
        builder.environment().keys.removeAll { it.startsWith("OTEL_") }
        if (collector != null) builder.environment()["OTEL_EXPORTER_OTLP_ENDPOINT"] = collector
        val server = builder.start()
        servers.add(server)
        val output = server.inputStream.bufferedReader()
        val line = generateSequence { output.readLine() }.first { "Ctrl-C" in it }
        // Later lines must not fill the pipe.
        Thread { output.readText() }.apply { isDaemon = true }.start()
        return Regex("""http://127\.0\.0\.1:\d+""").find(line)!!.value
    }

    private fun get(address: String): Map<*, *> = Json.parse(URL(address).readText()).map

    @Test
    fun `a trip through a lost network and a kill is one session, and its traces go on in the backend`() {
        assumeTrue("the executable is not built: ./astrolabe build astrolabe", executable.exists())
        val database = File(folder.root, "console.sqlite").path
        val console = serve("console", "--port", "0", "--grpc-port", "0", "--database", database)
        val shop = serve("shop-server", "--port", "0", collector = console)
        val phone = File(folder.root, "phone")
        main(arrayOf("--shop", shop, "--console", console, "--folder", phone.path))
        // The backend sends what it has when it ends.
        servers.last().destroy()
        servers.last().waitFor(5, TimeUnit.MINUTES)

        val id = File(phone, "session").readLines().first()
        val session = get("$console/api/v1/sessions/$id")
        assertEquals("astronomy-shop-android", session["device"].map["service"])
        assertEquals("Pixel 9", session["device"].map["modelName"])
        assertEquals(1L, session["failedRequests"])
        assertEquals(listOf("Products", "Product", "Cart", "Checkout"), session["screens"])

        val traces = tracesOf(console, id)
        assertEquals(5, traces.size)
        val both = traces.filter { trace ->
            trace["origins"].list.map { it.map["service"].text }.toSet() ==
                setOf("astronomy-shop-android", "shop-server")
        }
        assertEquals("all but the one of the request without a network", 4, both.size)
        for (trace in both) {
            val spans = trace["spans"].list.map { it.map }
            val clients = spans.filter { it["kind"] == "client" }.map { it["spanId"] }
            assertTrue(spans.any { it["kind"] == "server" && it["parentId"] in clients })
            assertEquals(spans.size, spans.map { it["spanId"] }.toSet().size)
        }
    }

    private fun tracesOf(console: String, session: String): List<Map<*, *>> {
        val entries = get("$console/api/v1/traces?q=session.id%3D$session")["traces"].list.map { it.map }
        return entries.map { get("$console/api/v1/traces/${it["traceId"]}") }
    }
}
