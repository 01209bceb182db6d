package astrolabe.remote

/** Reads single values of a document, and collects what is wrong with them. */
internal class ValueReader {
    private val found = mutableListOf<PolicyFinding>()

    val findings: List<PolicyFinding> get() = found

    fun report(path: String, problem: String) {
        found.add(PolicyFinding(path, problem))
    }

    fun members(json: StrictJson, path: String): MemberReader {
        if (json is StrictJson.Members) return MemberReader(json.values, path, this)
        report(path, "expected an object, found ${json.found}")
        return MemberReader(emptyList(), path, this)
    }

    fun flag(json: StrictJson, path: String): Boolean? {
        if (json is StrictJson.Flag) return json.value
        report(path, "expected true or false, found ${json.found}")
        return null
    }

    fun number(json: StrictJson, path: String, least: Double, most: Double): Double? {
        val number = (json as? StrictJson.Number)?.digits?.toDouble()
        if (number != null && number >= least && number <= most) return number
        report(path, "expected a number from ${short(least)} to ${short(most)}, found ${json.found}")
        return null
    }

    private fun short(number: Double): String = "$number".removeSuffix(".0")

    fun integer(json: StrictJson, path: String, range: LongRange): Long? {
        val number = (json as? StrictJson.Number)?.digits?.toLongOrNull()
        if (number != null && number in range) return number
        val upper = if (range.last == Long.MAX_VALUE) "" else " to ${range.last}"
        report(path, "expected a whole number from ${range.first}$upper, found ${json.found}")
        return null
    }

    fun text(json: StrictJson, path: String): String? {
        if (json is StrictJson.Text && json.value.toByteArray().size in 1..TEXT_LIMIT) return json.value
        report(path, "expected a text of 1 to $TEXT_LIMIT bytes, found ${json.found}")
        return null
    }

    fun <Choice> choice(json: StrictJson, path: String, all: List<Choice>, name: (Choice) -> String): Choice? {
        val choice = (json as? StrictJson.Text)?.let { text -> all.firstOrNull { name(it) == text.value } }
        if (choice == null) report(path, "expected one of ${all.joinToString { name(it) }}, found ${json.found}")
        return choice
    }

    /** The time in seconds since 1970. */
    fun time(json: StrictJson, path: String): Long? {
        val seconds = (json as? StrictJson.Text)?.let { Rfc3339.seconds(it.value) }
        if (seconds == null) report(path, "expected a time such as \"2026-12-31T00:00:00Z\", found ${json.found}")
        return seconds
    }

    fun <Element : Any> list(json: StrictJson, path: String, read: (StrictJson, String) -> Element?): List<Element> {
        if (json is StrictJson.Elements && json.values.size <= LIST_LIMIT) {
            return json.values.mapIndexedNotNull { index, element -> read(element, "$path[$index]") }
        }
        report(path, "expected a list of at most $LIST_LIMIT elements")
        return emptyList()
    }

    private companion object {
        /** The longest text of a document, in bytes. */
        const val TEXT_LIMIT = 256

        /** The most elements of a list. */
        const val LIST_LIMIT = 100
    }
}

/** The members of an object that have not been read yet. */
internal class MemberReader(
    members: List<StrictJson.Member>,
    private val path: String,
    private val values: ValueReader
) {
    private val rest = members.toMutableList()

    fun take(key: String): StrictJson? {
        val member = rest.firstOrNull { it.key == key } ?: return null
        rest.remove(member)
        return member.value
    }

    fun required(key: String): StrictJson? {
        val value = take(key)
        if (value == null) values.report("$path.$key", "expected a value, found none")
        return value
    }

    fun reportUnknown() {
        for (member in rest) values.report("$path.${member.key.prefix()}", "expected no such key here")
    }
}
