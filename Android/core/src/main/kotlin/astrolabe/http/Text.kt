package astrolabe.http

/** Without leading and trailing spaces and tabs. */
internal fun String.trimmed(): String = trim { it == ' ' || it == '\t' }

/** Bytes as UTF-8. */
internal val String.byteCount: Int get() = toByteArray(Charsets.UTF_8).size

/** In lower case; only ASCII letters change, so no locale matters. */
internal fun String.lowered(): String =
    map { if (it in 'A'..'Z') it + ('a' - 'A') else it }.joinToString("")

internal fun Char.isDigit(): Boolean = this in '0'..'9'

internal fun Char.isLowerHex(): Boolean = isDigit() || this in 'a'..'f'

internal fun Char.isLowerLetter(): Boolean = this in 'a'..'z'
