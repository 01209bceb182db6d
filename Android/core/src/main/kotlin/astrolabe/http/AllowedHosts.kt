package astrolabe.http

/**
 * The hosts to which trace context, baggage and the app's identity may go.
 *
 * A pattern is a host's whole name, or `*.` and a domain for all hosts below it; ports and letter case do not matter. A
 * star alone is no pattern.
 */
public class AllowedHosts(patterns: List<String>) {
    public constructor(vararg patterns: String) : this(patterns.asList())

    private val exact = patterns.map { it.lowered() }.filter { !it.startsWith("*.") }.toSet()
    private val suffixes = patterns.map { it.lowered() }.filter { it.startsWith("*.") && it.length > 2 }
        .map { it.drop(1) }

    /** Returns whether a host is allowed. */
    public operator fun contains(host: String): Boolean {
        val lowered = host.lowered()
        return lowered in exact || suffixes.any { lowered.endsWith(it) }
    }
}
