package astrolabe.remote

/** Times of RFC 3339 to the second. API level 24 has no `java.time`. */
internal object Rfc3339 {
    private val form = Regex("(\\d{4})-(\\d\\d)-(\\d\\d)T(\\d\\d):(\\d\\d):(\\d\\d)(?:\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)")

    /**
     * Seconds since 1970 of a time such as `2026-12-31T23:59:59Z` or `2026-12-31T23:59:59.5+02:00`; a fraction of a
     * second is left out. `null` for another text.
     */
    fun seconds(text: String): Long? {
        // On Android `\d` matches the digits of all scripts.
        if (text.length > 40 || text.any { it > '~' }) return null
        val (parts, zone) = (form.matchEntire(text) ?: return null).groupValues.drop(1)
            .let { groups -> Pair(groups.take(6).map { it.toLong() }, groups[6]) }
        val (year, month, day) = parts
        val (hour, minute, second) = parts.drop(3)
        val offset = offset(zone) ?: return null
        if (year < 1_970 || month !in 1..12 || day < 1 || day > days(month, year)) return null
        if (hour > 23 || minute > 59 || second > 59) return null
        return ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute - offset) * 60 + second
    }

    /** Minutes east of Greenwich. */
    private fun offset(zone: String): Long? {
        if (zone == "Z") return 0
        val (hours, minutes) = zone.drop(1).split(":").map { it.toLong() }
        if (hours > 23 || minutes > 59) return null
        return (hours * 60 + minutes) * (if (zone[0] == '-') -1 else 1)
    }

    private fun days(month: Long, year: Long): Long = when (month) {
        2L -> if (isLeap(year)) 29 else 28
        4L, 6L, 9L, 11L -> 30
        else -> 31
    }

    private fun isLeap(year: Long): Boolean = year % 4 == 0L && (year % 100 != 0L || year % 400 == 0L)

    /** Counted in years that begin in March, so that the leap day is a year's last. */
    private fun daysSince1970(year: Long, month: Long, day: Long): Long {
        val shifted = if (month > 2) year else year - 1
        val dayOfYear = (153 * (if (month > 2) month - 3 else month + 9) + 2) / 5 + day - 1
        val yearOfEra = shifted % 400
        return shifted / 400 * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
