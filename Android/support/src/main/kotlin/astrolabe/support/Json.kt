package astrolabe.support

/** A JSON value as Kotlin's `Map`, `List`, `String`, `Double`, `Long`, `Boolean` and `null`, for tests and the demo. */
public object Json {
    public fun parse(text: String): Any? {
        val reader = JsonReader(text)
        val value = reader.value()
        reader.end()
        return value
    }

    /** Returns the JSON of a value made of the types above. */
    public fun write(value: Any?): String = when (value) {
        is Map<*, *> -> value.entries.joinToString(",", "{", "}") { "${quoted(it.key.toString())}:${write(it.value)}" }
        is Iterable<*> -> value.joinToString(",", "[", "]") { write(it) }
        is String -> quoted(value)
        null, is Number, is Boolean -> value.toString()
        else -> throw IllegalArgumentException("cannot write a ${value.javaClass.name} as JSON")
    }

    private fun quoted(text: String): String {
        val result = StringBuilder("\"")
        for (character in text) {
            when {
                character == '"' || character == '\\' -> result.append('\\').append(character)
                character < ' ' -> result.append(String.format("\\u%04x", character - '\u0000'))
                else -> result.append(character)
            }
        }
        return result.append('"').toString()
    }
}

private class JsonReader(private val text: String) {
    private var index = 0

    fun value(): Any? {
        skipSpace()
        return when (peek()) {
            '{' -> members()
            '[' -> elements()
            '"' -> string()
            't' -> literal("true", true)
            'f' -> literal("false", false)
            'n' -> literal("null", null)
            else -> number()
        }
    }

    fun end() {
        skipSpace()
        if (index < text.length) fail()
    }

    private fun members(): Map<String, Any?> {
        val members = LinkedHashMap<String, Any?>()
        expect('{')
        if (takes('}')) return members
        do {
            skipSpace()
            val name = string()
            expect(':')
            members[name] = value()
        } while (takes(','))
        expect('}')
        return members
    }

    private fun elements(): List<Any?> {
        val elements = mutableListOf<Any?>()
        expect('[')
        if (takes(']')) return elements
        do elements.add(value()) while (takes(','))
        expect(']')
        return elements
    }

    private fun string(): String {
        if (peek() != '"') fail()
        index += 1
        val result = StringBuilder()
        while (peek() != '"') {
            val character = text[index++]
            result.append(if (character == '\\') escaped() else character)
        }
        index += 1
        return result.toString()
    }

    private fun escaped(): Char {
        val character = peek()
        index += 1
        return when (character) {
            'n' -> '\n'
            't' -> '\t'
            'r' -> '\r'
            'b' -> '\b'
            'f' -> '\u000c'
            'u' -> {
                if (index + 4 > text.length) fail()
                index += 4
                text.substring(index - 4, index).toInt(radix = 16).toChar()
            }
            else -> character
        }
    }

    private fun number(): Any {
        val start = index
        while (index < text.length && (text[index] in '0'..'9' || text[index] in "+-.eE")) index += 1
        val digits = text.substring(start, index)
        return digits.toLongOrNull() ?: digits.toDoubleOrNull() ?: fail()
    }

    private fun <Value> literal(word: String, value: Value): Value {
        if (!text.startsWith(word, index)) fail()
        index += word.length
        return value
    }

    private fun takes(character: Char): Boolean {
        skipSpace()
        if (peek() != character) return false
        index += 1
        return true
    }

    private fun expect(character: Char) {
        if (!takes(character)) fail()
    }

    private fun skipSpace() {
        while (index < text.length && text[index] in " \t\r\n") index += 1
    }

    private fun peek(): Char = if (index < text.length) text[index] else fail()

    private fun fail(): Nothing = throw IllegalArgumentException("no JSON value at character $index")
}
