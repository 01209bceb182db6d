package astrolabe.demo

import astrolabe.delivery.SendResult
import astrolabe.queue.LeasedRecord
import java.io.IOException
import java.net.SocketTimeoutException
import okhttp3.MediaType
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody

/** Sends records to a console by OTLP/HTTP in JSON. The records are JSON already and are copied into the request. */
internal class Collector(
    private val client: OkHttpClient,
    private val address: String,
    resource: Map<String, Any>
) {
    private val resource = astrolabe.support.Json.write(mapOf("attributes" to otlp(resource)))

    fun send(records: List<LeasedRecord>): SendResult {
        val kind = Kind.values()[records.first().kind]
        val (resources, scopes, list) = when (kind) {
            Kind.SPAN -> Triple("resourceSpans", "scopeSpans", "spans")
            Kind.EVENT -> Triple("resourceLogs", "scopeLogs", "logRecords")
        }
        val joined = records.joinToString(",") { String(it.payload, Charsets.UTF_8) }
        val scope = "{\"scope\":{\"name\":\"astrolabe.android.demo\"},\"$list\":[$joined]}"
        val body = "{\"$resources\":[{\"resource\":$resource,\"$scopes\":[$scope]}]}"
        val request = Request.Builder().url("$address/v1/${kind.path}")
            .post(RequestBody.create(MediaType.parse("application/json"), body.toByteArray())).build()
        return try {
            val response = client.newCall(request).execute()
            response.close()
            SendResult.Response(response.code(), response.header("Retry-After")?.toDoubleOrNull())
        } catch (_: SocketTimeoutException) {
            SendResult.TimedOut
        } catch (failure: IOException) {
            SendResult.Unreachable(failure.message ?: "no response")
        }
    }
}
