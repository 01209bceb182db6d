package astrolabe

import astrolabe.support.Json
import java.io.File

/** A file of `Android/vectors`, which the Swift code wrote. */
internal class Vectors(name: String) {
    private val sections = Json.parse(file("Android/vectors/$name.json").readText()) as Map<*, *>

    /** The cases of a section, each a list or an object. */
    fun section(name: String): List<Any?> = sections[name] as List<Any?>

    companion object {
        fun file(path: String): File = File(System.getProperty("astrolabe.repository") ?: "../..", path)
    }
}

internal val Any?.list: List<Any?> get() = this as List<Any?>
internal val Any?.map: Map<*, *> get() = this as Map<*, *>
internal val Any?.text: String get() = this as String
internal val Any?.flag: Boolean get() = this as Boolean
internal val Any?.int: Int get() = (this as Number).toInt()
internal val Any?.double: Double get() = (this as Number).toDouble()
internal val Any?.ints: List<Int> get() = list.map { it.int }
internal val Any?.texts: List<String> get() = list.map { it.text }
