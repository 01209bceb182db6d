package astrolabe.otel

import io.opentelemetry.api.impl.InstrumentationUtil
import java.io.IOException
import java.util.concurrent.TimeUnit
import okhttp3.Call
import okhttp3.MediaType
import okhttp3.Request
import okhttp3.RequestBody
import okhttp3.Response
import okio.BufferedSink

/** The media type of OTLP and of OpAMP. */
internal const val PROTOBUF = "application/x-protobuf"

/**
 * Sends a request that OpenTelemetry's own instrumentation of OkHttp makes no span of. Spans of the requests that send
 * spans would have no end.
 *
 * @param timeout Seconds for all of it.
 * @throws IOException If there is no response.
 */
internal fun <Result> Call.Factory.hidden(request: Request, timeout: Long, read: (Response) -> Result): Result {
    var result: Result? = null
    var failure: IOException? = null
    InstrumentationUtil.suppressInstrumentation {
        try {
            val call = newCall(request)
            call.timeout().timeout(timeout, TimeUnit.SECONDS)
            val response = call.execute()
            try {
                result = read(response)
            } finally {
                response.close()
            }
        } catch (found: IOException) {
            failure = found
        }
    }
    return result ?: throw failure ?: IOException("no response")
}

/** A body without a type: the request has the header, since the functions of `MediaType` differ between OkHttp's versions. */
internal class UntypedBody(private val bytes: ByteArray) : RequestBody() {
    override fun contentType(): MediaType? = null

    override fun contentLength(): Long = bytes.size.toLong()

    override fun writeTo(sink: BufferedSink) {
        sink.write(bytes)
    }
}

/** Returns the seconds that a response asks to wait, by a whole number or a time of HTTP. */
internal fun retryAfter(response: Response): Double? = response.header("Retry-After")?.let { OtlpSender.retryAfter(it) }
