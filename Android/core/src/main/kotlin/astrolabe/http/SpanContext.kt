package astrolabe.http

/**
 * The part of a span that travels in headers.
 *
 * @property traceId 32 lower-case hexadecimal digits.
 * @property spanId 16 lower-case hexadecimal digits.
 * @property isSampled Whether the span is really recorded.
 * @property isRandom Whether the trace id is random, by Level 2 of the specification.
 */
public data class SpanContext(
    public val traceId: String,
    public val spanId: String,
    public val isSampled: Boolean,
    public val isRandom: Boolean = false,
    public val traceState: TraceState = TraceState.empty
) {
    /** True if both ids have the right form and neither is zero. */
    public val isValid: Boolean get() = isId(traceId, TRACE_DIGITS) && isId(spanId, SPAN_DIGITS)

    /** `00-{32 hex}-{16 hex}-{2 hex}`, whose flags tell whether the span is really recorded. */
    public val traceParent: String
        get() = "00-$traceId-$spanId-0${(if (isSampled) SAMPLED else 0) or (if (isRandom) RANDOM else 0)}"

    public companion object {
        private const val TRACE_DIGITS = 32
        private const val SPAN_DIGITS = 16
        private const val SAMPLED = 1
        private const val RANDOM = 2

        /**
         * Reads a `traceparent`; `null` for a wrong length, upper case, an all-zero id, version `ff`, or a version 00
         * that has more than four parts. Higher versions may be longer, and only the known parts are read.
         *
         * @param traceState The header `tracestate`. One that breaks a rule is dropped alone.
         */
        public fun parse(traceParent: String, traceState: String? = null): SpanContext? {
            val parts = traceParent.trimmed().split("-")
            if (parts.size < 4 || !isByte(parts[0]) || parts[0] == "ff") return null
            if (parts[0] == "00" && parts.size != 4) return null
            if (!isId(parts[1], TRACE_DIGITS) || !isId(parts[2], SPAN_DIGITS) || !isByte(parts[3])) return null
            val flags = parts[3].toInt(radix = 16)
            return SpanContext(
                parts[1], parts[2], isSampled = flags and SAMPLED != 0, isRandom = flags and RANDOM != 0,
                traceState = traceState?.let(TraceState.Companion::parse) ?: TraceState.empty
            )
        }

        private fun isId(text: String, digits: Int): Boolean =
            text.length == digits && text.all { it.isLowerHex() } && text.any { it != '0' }

        private fun isByte(text: String): Boolean = text.length == 2 && text.all { it.isLowerHex() }
    }
}
