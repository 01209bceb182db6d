package astrolabe.demo

import astrolabe.conditions.AttributeKey
import astrolabe.support.Json
import io.opentelemetry.api.trace.SpanKind
import java.io.IOException
import okhttp3.MediaType
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody

/** Calls the shop's API, each call in a client span. */
internal class ShopClient(
    private val client: OkHttpClient,
    private val address: String,
    private val telemetry: Telemetry
) {
    fun get(path: String): Any? = call("GET", path, path, null)

    fun post(path: String, body: Map<String, Any>): Any? =
        call("POST", path, "$path?currencyCode=USD", Json.write(body))

    private fun call(method: String, path: String, target: String, body: String?): Any? {
        val content = body?.let { RequestBody.create(MediaType.parse("application/json"), it.toByteArray()) }
        val request = Request.Builder().url(address + target).method(method, content).build()
        val attributes = mapOf(
            AttributeKey.HTTP_REQUEST_METHOD to method,
            AttributeKey.URL_FULL to request.url().toString(),
            AttributeKey.SERVER_ADDRESS to request.url().host(),
            AttributeKey.SERVER_PORT to request.url().port().toLong()
        )
        return telemetry.span("$method ${path.substringBefore("?")}", SpanKind.CLIENT, attributes) { span ->
            val response = client.newCall(request).execute()
            val text = response.body()?.string() ?: ""
            span[AttributeKey.HTTP_RESPONSE_STATUS_CODE] = response.code().toLong()
            if (!response.isSuccessful) throw IOException("HTTP ${response.code()}: $text")
            Json.parse(text)
        }
    }
}
