package astrolabe.otel

import astrolabe.http.AllowedHosts
import astrolabe.http.HeaderName
import astrolabe.http.HeaderRules
import astrolabe.http.HttpIdentity
import astrolabe.http.Propagation
import astrolabe.http.RequestContext
import io.opentelemetry.context.Context
import io.opentelemetry.context.propagation.TextMapGetter
import io.opentelemetry.context.propagation.TextMapPropagator
import io.opentelemetry.context.propagation.TextMapSetter
import java.net.URLConnection
import okhttp3.Request

/**
 * Lets another propagator write to requests of allowed hosts only, and adds the session to their baggage.
 *
 *     builder.addPropagatorCustomizer { HostGatedPropagator(it, AllowedHosts("shop.example.com"), identity) }
 *
 * OpenTelemetry's instrumentation of OkHttp asks a propagator for each hop of a request, with the hop's
 * `Request.Builder`, and its instrumentation of `HttpURLConnection` with the connection. Other carriers have no host
 * and get nothing. The rules are those of [HeaderRules]: trace state and baggage of others are kept.
 *
 * @param delegate Writes the trace and the current baggage.
 */
public class HostGatedPropagator(
    private val delegate: TextMapPropagator,
    private val hosts: AllowedHosts,
    identity: HttpIdentity = HttpIdentity(),
    propagation: Propagation = Propagation.SAMPLED_ONLY
) : TextMapPropagator {
    private val rules = HeaderRules(hosts, identity, propagation)

    override fun fields(): Collection<String> = delegate.fields() + HeaderName.BAGGAGE

    override fun <C> inject(context: Context, carrier: C?, setter: TextMapSetter<C>) {
        try {
            for ((name, value) in headers(context, carrier)) setter.set(carrier, name, value)
        } catch (_: Exception) {
            // The request goes out without what could not be added.
        }
    }

    override fun <C> extract(context: Context, carrier: C?, getter: TextMapGetter<C>): Context =
        delegate.extract(context, carrier, getter)

    private fun <C> headers(context: Context, carrier: C?): Map<String, String> {
        val target = Target.of(carrier) ?: return emptyMap()
        if (target.host !in hosts) return emptyMap()
        val written = LinkedHashMap<String, String>()
        delegate.inject(context, carrier, TextMapSetter { _, name, value -> written[name] = value })
        val current = RequestContext.of(written::get)
        written.keys.removeAll(listOf(HeaderName.TRACE_PARENT, HeaderName.TRACE_STATE, HeaderName.BAGGAGE))
        return written + rules.headers(target.host, current, target.header)
    }

    /** The host of a request, and its headers. */
    private class Target(val host: String, val header: (String) -> String?) {
        companion object {
            fun of(carrier: Any?): Target? = when (carrier) {
                is Request.Builder -> {
                    val request = carrier.build()
                    Target(request.url().host()) { request.headers(it).joinToString(",").takeIf { it != "" } }
                }
                is URLConnection -> Target(carrier.url.host) { carrier.getRequestProperty(it) }
                else -> null
            }
        }
    }
}
