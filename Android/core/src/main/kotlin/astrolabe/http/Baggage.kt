package astrolabe.http

/**
 * Name-value pairs that travel with a request to every service it reaches (W3C Baggage).
 *
 * Anyone on the way can read it, so it holds no secrets. At most 64 members and 8,192 bytes as a header; what goes
 * beyond is left out.
 */
public class Baggage private constructor(private val members: Map<String, Member>) {
    private data class Member(val value: String, val metadata: String)

    /** Creates baggage without members. */
    public constructor() : this(emptyMap<String, Member>())

    public val names: List<String> get() = members.keys.toList()

    public operator fun get(name: String): String? = members[name]?.value

    /** Returns the baggage with a value. A name that is not an HTTP token changes nothing. */
    public fun with(name: String, value: String): Baggage = with(name, Member(value, ""))

    private fun with(name: String, member: Member): Baggage {
        val isFull = name !in members && members.size >= MEMBER_LIMIT
        return if (isFull || !isToken(name)) this else Baggage(members + (name to member))
    }

    /** Returns the baggage with all of [other]; its values win. */
    public fun merging(other: Baggage): Baggage =
        other.members.entries.fold(this) { baggage, (name, member) -> baggage.with(name, member) }

    /**
     * The header, with values percent-encoded as UTF-8; `null` if there is nothing to send.
     *
     * Metadata that could not stand in a header is left out, and so are members that it has no room for.
     */
    public val header: String?
        get() {
            var header = ""
            for ((name, member) in members) {
                var text = name + "=" + PercentCoding.encode(member.value)
                if (member.metadata != "" && isMetadata(member.metadata)) text += ";" + member.metadata
                if (header != "") text = ",$text"
                if (header.length + text.length <= LENGTH_LIMIT) header += text
            }
            return if (header == "") null else header
        }

    override fun equals(other: Any?): Boolean =
        other is Baggage && other.members.toList() == members.toList()

    override fun hashCode(): Int = members.hashCode()

    override fun toString(): String = header ?: ""

    public companion object {
        private const val MEMBER_LIMIT = 64
        private const val LENGTH_LIMIT = 8_192

        /**
         * Reads a `baggage` header; members that break the grammar are passed over, and those that end beyond the
         * length limit are left out. Of a name that occurs twice the last one counts.
         */
        public fun parse(header: String): Baggage {
            var baggage = Baggage()
            var length = 0
            for (part in header.split(",")) {
                length += part.byteCount + if (length == 0) 0 else 1
                if (length > LENGTH_LIMIT) break
                val pair = part.substringBefore(";")
                val equals = pair.indexOf('=')
                if (equals < 0) continue
                val name = pair.substring(0, equals).trimmed()
                val value = pair.substring(equals + 1).trimmed()
                if (!isToken(name) || !value.all(PercentCoding::isBaggageOctet)) continue
                val metadata = part.substringAfter(";", "").trimmed()
                baggage = baggage.with(name, Member(PercentCoding.decode(value), metadata))
            }
            return baggage
        }

        /** Properties hold visible ASCII and blanks, and neither end the member nor quote. */
        private fun isMetadata(text: String): Boolean =
            text.all { it == ';' || it == ' ' || it == '\t' || PercentCoding.isBaggageOctet(it) }

        /** `token` of RFC 9110, section 5.6.2. */
        private fun isToken(text: String): Boolean = text != "" &&
            text.all { it.isDigit() || it.isLowerLetter() || it in 'A'..'Z' || it in "!#\$%&'*+-.^_`|~" }
    }
}

/** Percent-encoding of UTF-8 as W3C Baggage wants it. */
internal object PercentCoding {
    private const val DIGITS = "0123456789ABCDEF"

    /** Visible ASCII but `"`, `,`, `;` and `\`. */
    fun isBaggageOctet(character: Char): Boolean = character in '!'..'~' && character !in "\",;\\"

    /** Keeps `baggage-octet`s other than `%`. */
    fun encode(text: String): String {
        val result = StringBuilder()
        for (byte in text.toByteArray(Charsets.UTF_8)) {
            val code = byte.toInt() and 0xFF
            val character = code.toChar()
            if (code < 0x80 && character != '%' && isBaggageOctet(character)) {
                result.append(character)
            } else {
                result.append('%').append(DIGITS[code shr 4]).append(DIGITS[code and 0xF])
            }
        }
        return result.toString()
    }

    /** A `%` that begins no code stands for itself. */
    fun decode(text: String): String {
        val bytes = text.toByteArray(Charsets.UTF_8)
        val result = java.io.ByteArrayOutputStream()
        var index = 0
        while (index < bytes.size) {
            val high = digit(bytes, index + 1)
            val low = digit(bytes, index + 2)
            if (bytes[index] == PERCENT && high >= 0 && low >= 0) {
                result.write(high * 16 + low)
                index += 3
            } else {
                result.write(bytes[index].toInt())
                index += 1
            }
        }
        return String(result.toByteArray(), Charsets.UTF_8)
    }

    private const val PERCENT: Byte = 0x25

    private fun digit(bytes: ByteArray, index: Int): Int =
        if (index < bytes.size) Character.digit(bytes[index].toInt(), 16) else -1
}
