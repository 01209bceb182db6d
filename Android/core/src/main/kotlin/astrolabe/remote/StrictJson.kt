package astrolabe.remote

import java.nio.ByteBuffer
import java.nio.charset.CharacterCodingException
import java.text.Normalizer

/** A JSON value that keeps repeated keys and the digits of numbers apart, as other readers do not. */
internal sealed class StrictJson {
    object Null : StrictJson()
    class Flag(val value: Boolean) : StrictJson()
    class Number(val digits: String) : StrictJson()
    class Text(val value: String) : StrictJson()
    class Elements(val values: List<StrictJson>) : StrictJson()

    /** The members in their order. No key occurs twice. */
    class Members(val values: List<Member>) : StrictJson()

    class Member(val key: String, val value: StrictJson)

    /** A description of the value, for messages. */
    val found: String
        get() = when (this) {
            is Null -> "null"
            is Flag -> "$value"
            is Number -> digits.take(32)
            is Text -> "\"${value.prefix()}\""
            is Elements -> "a list"
            is Members -> "an object"
        }

    class Fault(val finding: PolicyFinding) : Exception(finding.toString())

    companion object {
        /** The deepest that values nest. */
        const val DEPTH_LIMIT = 16

        /**
         * Reads one value, which is all of the bytes.
         *
         * @throws Fault With the path of the fault.
         */
        fun read(bytes: ByteArray): StrictJson {
            val text = try {
                Charsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString()
            } catch (_: CharacterCodingException) {
                fail("$", "expected JSON in UTF-8, found other bytes")
            }
            val reader = StrictJsonReader(text)
            val value = reader.value("$", depth = 0)
            if (!reader.isAtEnd) fail("$", "expected nothing after the object")
            return value
        }

        fun fail(path: String, problem: String): Nothing = throw Fault(PolicyFinding(path, problem))
    }
}

/** The first 64 characters, for messages. */
internal fun String.prefix(): String =
    if (codePointCount(0, length) <= 64) this else substring(0, offsetByCodePoints(0, 64))

/** Swift compares texts in this form, in which an accent may be a character of its own or not. */
internal val String.canonical: String get() = Normalizer.normalize(this, Normalizer.Form.NFC)

private class StrictJsonReader(private val text: String) {
    private var index = 0

    private val next: Char? get() = text.getOrNull(index)

    val isAtEnd: Boolean
        get() {
            skipSpace()
            return next == null
        }

    private fun skipSpace() {
        while (index < text.length && text[index] in " \n\r\t") index += 1
    }

    private fun take(character: Char): Boolean {
        skipSpace()
        if (next != character) return false
        index += 1
        return true
    }

    fun value(path: String, depth: Int): StrictJson {
        skipSpace()
        if (depth >= StrictJson.DEPTH_LIMIT) {
            StrictJson.fail(path, "expected at most ${StrictJson.DEPTH_LIMIT} levels")
        }
        return when (next) {
            '{' -> StrictJson.Members(members(path, depth))
            '[' -> StrictJson.Elements(elements(path, depth))
            '"' -> StrictJson.Text(string(path))
            '-', in '0'..'9' -> StrictJson.Number(number(path))
            else -> word(path)
        }
    }

    private fun members(path: String, depth: Int): List<StrictJson.Member> {
        index += 1
        val members = mutableListOf<StrictJson.Member>()
        val known = mutableSetOf<String>()
        if (take('}')) return members
        do {
            skipSpace()
            if (next != '"') StrictJson.fail(path, "expected a key in double quotes")
            val key = string(path)
            val inner = "$path.${key.prefix()}"
            if (!known.add(key.canonical)) StrictJson.fail(inner, "expected each key once, found it twice")
            if (!take(':')) StrictJson.fail(inner, "expected a colon after the key")
            members.add(StrictJson.Member(key, value(inner, depth + 1)))
        } while (take(','))
        if (!take('}')) StrictJson.fail(path, "expected a comma or } after a member")
        return members
    }

    private fun elements(path: String, depth: Int): List<StrictJson> {
        index += 1
        val elements = mutableListOf<StrictJson>()
        if (take(']')) return elements
        do elements.add(value("$path[${elements.size}]", depth + 1)) while (take(','))
        if (!take(']')) StrictJson.fail(path, "expected a comma or ] after an element")
        return elements
    }

    private fun word(path: String): StrictJson {
        for ((word, value) in WORDS) {
            if (!text.startsWith(word, index)) continue
            index += word.length
            return value
        }
        StrictJson.fail(path, "expected a JSON value, such as an object, a string or a number")
    }

    private fun number(path: String): String {
        val start = index
        if (next == '-') index += 1
        val isZero = next == '0'
        val whole = digits()
        var isValid = whole > 0 && (!isZero || whole == 1)
        if (next == '.') {
            index += 1
            if (digits() == 0) isValid = false
        }
        if (next == 'e' || next == 'E') {
            index += 1
            if (next == '+' || next == '-') index += 1
            if (digits() == 0) isValid = false
        }
        if (!isValid) StrictJson.fail(path, "expected a number such as 5 or 0.25")
        return text.substring(start, index)
    }

    private fun digits(): Int {
        val start = index
        while (index < text.length && text[index] in '0'..'9') index += 1
        return index - start
    }

    private fun string(path: String): String {
        index += 1
        val result = StringBuilder()
        while (true) {
            val character = next ?: StrictJson.fail(path, "expected a double quote at the end of the string")
            when {
                character == '"' -> {
                    index += 1
                    return result.toString()
                }
                character == '\\' -> result.append(escape(path))
                character < ' ' -> StrictJson.fail(path, "expected control characters as escapes, such as \\n")
                else -> {
                    result.append(character)
                    index += 1
                }
            }
        }
    }

    /** The text of the escape that begins here. */
    private fun escape(path: String): String {
        index += 1
        val simple = next?.let { SIMPLE_ESCAPES[it] }
        if (simple != null) {
            index += 1
            return simple.toString()
        }
        val first = hexadecimal()
        if (first != null && !first.isSurrogate()) return first.toString()
        if (first != null && first.isHighSurrogate() && next == '\\') {
            index += 1
            val second = hexadecimal()
            if (second != null && second.isLowSurrogate()) return "$first$second"
        }
        StrictJson.fail(path, "expected an escape such as \\n, \\\" or \\u00e9")
    }

    /** The character of `u` and four hexadecimal digits. */
    private fun hexadecimal(): Char? {
        val end = index + 5
        if (next != 'u' || end > text.length) return null
        val digits = text.substring(index + 1, end)
        if (!digits.all { it in '0'..'9' || it in 'a'..'f' || it in 'A'..'F' }) return null
        index = end
        return digits.toInt(radix = 16).toChar()
    }

    private companion object {
        val WORDS = listOf(
            Pair("true", StrictJson.Flag(true)), Pair("false", StrictJson.Flag(false)), Pair("null", StrictJson.Null)
        )

        val SIMPLE_ESCAPES = mapOf(
            '"' to '"', '\\' to '\\', '/' to '/', 'b' to '\b', 'f' to '\u000c', 'n' to '\n', 'r' to '\r', 't' to '\t'
        )
    }
}
