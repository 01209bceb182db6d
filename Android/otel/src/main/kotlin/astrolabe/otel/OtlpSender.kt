package astrolabe.otel

import astrolabe.delivery.SendResult
import astrolabe.queue.LeasedRecord
import astrolabe.wire.ProtobufFault
import astrolabe.wire.ProtobufReader
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.io.InterruptedIOException
import java.text.ParsePosition
import java.text.SimpleDateFormat
import java.util.Locale
import java.util.TimeZone
import java.util.zip.GZIPOutputStream
import okhttp3.Call
import okhttp3.Request
import okhttp3.Response

/**
 * Sends records of one signal to a collector as one request of OTLP/HTTP, in protobuf and gzip.
 *
 * The payload of each record is a whole request. Protobuf joins requests by writing one after the other.
 *
 * @param endpoint Such as `https://collector.example.com:4318`. `/v1/traces` and the like are appended.
 * @param headers Asked for each request, such as for an `Authorization` that is renewed.
 * @param timeout Seconds for one request. The client's own timeouts apply too.
 * @param onRejected Called if the collector has stored a request but for some records, with their number and its
 *   reason. They are not sent again.
 */
public class OtlpSender(
    private val client: Call.Factory,
    endpoint: String,
    private val headers: () -> Map<String, String> = { emptyMap() },
    private val timeout: Long = 30,
    private val onRejected: (OtlpSignal, Long, String) -> Unit = { _, _, _ -> }
) {
    private val base = endpoint.trimEnd('/')

    /** Sends records of one kind. */
    public fun send(records: List<LeasedRecord>): SendResult {
        val signal = OtlpSignal.values()[records.first().kind]
        val request = Request.Builder().url("$base/v1/${signal.path}").post(UntypedBody(zipped(records)))
        for ((name, value) in headers()) request.header(name, value)
        request.header("Content-Type", PROTOBUF).header("Content-Encoding", "gzip")
        return try {
            client.hidden(request.build(), timeout) { result(signal, it) }
        } catch (_: InterruptedIOException) {
            SendResult.TimedOut
        } catch (failure: IOException) {
            SendResult.Unreachable(failure.toString())
        }
    }

    private fun result(signal: OtlpSignal, response: Response): SendResult {
        if (response.code() !in 200..299) {
            return SendResult.Response(response.code(), retryAfter(response))
        }
        // A captive portal redirects or responds with its own page.
        val type = response.header("Content-Type") ?: ""
        if (response.priorResponse()?.isRedirect == true || type.startsWith("text/html", ignoreCase = true)) {
            return SendResult.Unreachable("a page, not a collector's response")
        }
        if (type.startsWith(PROTOBUF)) readPartialSuccess(signal, response.peekBody(LONGEST).bytes())
        return SendResult.Response(response.code())
    }

    private fun readPartialSuccess(signal: OtlpSignal, response: ByteArray) {
        var rejected = 0L
        var reason = ""
        try {
            ProtobufReader(response, "an export response").forEach { field ->
                if (field.number == 1L) ProtobufReader(field.bytes, "a partial success").forEach {
                    if (it.number == 1L) rejected = it.integer
                    if (it.number == 2L) reason = it.text
                }
            }
        } catch (_: ProtobufFault) {
            // The status says that the records have arrived.
        }
        if (rejected > 0 || reason != "") onRejected(signal, rejected, reason)
    }

    private fun zipped(records: List<LeasedRecord>): ByteArray {
        val buffer = ByteArrayOutputStream()
        GZIPOutputStream(buffer).use { zip -> for (record in records) zip.write(record.payload) }
        return buffer.toByteArray()
    }

    internal companion object {
        /** Bytes of a response that are read. */
        private const val LONGEST = 65_536L

        /** Returns the seconds of a `Retry-After`: a whole number, or a time of HTTP. */
        fun retryAfter(header: String, now: Long = System.currentTimeMillis()): Double? {
            header.trim().toLongOrNull()?.let { return it.toDouble() }
            val format = SimpleDateFormat("EEE, dd MMM yyyy HH:mm:ss zzz", Locale.US)
            format.timeZone = TimeZone.getTimeZone("GMT")
            return format.parse(header.trim(), ParsePosition(0))?.let { (it.time - now) / 1_000.0 }
        }
    }
}
