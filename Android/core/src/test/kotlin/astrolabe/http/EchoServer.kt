package astrolabe.http

import com.sun.net.httpserver.Headers
import com.sun.net.httpserver.HttpServer
import java.io.Closeable
import java.net.InetSocketAddress
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit

/** Keeps the headers of each request. 127.0.0.1 is an allowed host in these tests, and localhost is not. */
internal class EchoServer : Closeable {
    private val arrived = LinkedBlockingQueue<Pair<String, Headers>>()
    private val server = HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0)
    val address: String get() = "http://127.0.0.1:${server.address.port}"

    init {
        server.createContext("/") { exchange ->
            arrived.add(Pair(exchange.requestURI.path, exchange.requestHeaders))
            val other = address.replace("127.0.0.1", "localhost")
            val target = mapOf("/own" to "$address/end", "/other" to "$other/end")[exchange.requestURI.path]
            target?.let { exchange.responseHeaders.add("Location", it) }
            exchange.sendResponseHeaders(if (target != null) 302 else 200, -1)
            exchange.close()
        }
        server.start()
    }

    /** The headers of the next request, which must be for [path]. */
    fun received(path: String): Headers {
        val (found, headers) = checkNotNull(arrived.poll(60, TimeUnit.SECONDS)) { "no request for $path" }
        check(found == path) { "expected a request for $path; $found came" }
        return headers
    }

    override fun close(): Unit = server.stop(0)
}
