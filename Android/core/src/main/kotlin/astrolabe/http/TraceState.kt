package astrolabe.http

/**
 * The W3C `tracestate` list: what each tracing system wants to carry along with a trace.
 *
 * A list that breaks a rule (a member's form, 32 members at most) is refused whole, as W3C Trace Context asks. One that
 * is merely longer than 512 characters loses whole members: those of more than 128 characters first, then from the end.
 *
 * @property header The header's text, already validated; empty if there is none.
 */
public class TraceState private constructor(public val header: String) {
    override fun equals(other: Any?): Boolean = other is TraceState && other.header == header

    override fun hashCode(): Int = header.hashCode()

    override fun toString(): String = header

    public companion object {
        public val empty: TraceState = TraceState("")

        private const val MEMBER_LIMIT = 32
        private const val LENGTH_LIMIT = 512
        private const val LONG_MEMBER = 128
        private const val LONGEST_PART = 256

        /** Reads a header value; `null` if a key, a value or the number of members breaks the rules. */
        public fun parse(header: String): TraceState? {
            val members = mutableListOf<String>()
            for (part in header.split(",")) {
                val member = part.trimmed()
                if (member == "") continue
                val equals = member.indexOf('=')
                if (equals < 0 || members.size == MEMBER_LIMIT) return null
                if (!isKey(member.substring(0, equals)) || !isValue(member.substring(equals + 1))) return null
                members.add(member)
            }
            return TraceState(shortened(members).joinToString(","))
        }

        private fun shortened(members: List<String>): List<String> {
            val texts = members.toMutableList()
            fun isTooLong() = texts.map { it.length }.sum() + texts.size - 1 > LENGTH_LIMIT
            while (isTooLong()) {
                val long = texts.indexOfLast { it.length > LONG_MEMBER }
                texts.removeAt(if (long >= 0) long else texts.size - 1)
            }
            return texts
        }

        /** The grammar of Level 2. */
        private fun isKey(key: String): Boolean {
            val first = key.firstOrNull() ?: return false
            return key.length <= LONGEST_PART && (first.isLowerLetter() || first.isDigit()) &&
                key.all { it.isLowerLetter() || it.isDigit() || it in "_-*/@" }
        }

        /** Up to 256 printable ASCII characters but `,` and `=`, not ending in a space. */
        private fun isValue(value: String): Boolean {
            val last = value.lastOrNull() ?: return false
            return last != ' ' && value.length <= LONGEST_PART && value.all { it in ' '..'~' && it != ',' && it != '=' }
        }
    }
}
