package astrolabe.remote

import java.io.ByteArrayOutputStream

/** A protobuf message that grows field by field. Defaults are left out, as proto3 has it. */
internal class ProtobufWriter {
    private val output = ByteArrayOutputStream()

    val bytes: ByteArray get() = output.toByteArray()

    fun number(field: Int, value: Long) {
        if (value == 0L) return
        varint(field.toLong() shl 3)
        varint(value)
    }

    fun text(field: Int, value: String): Unit = bytes(field, value.toByteArray())

    fun bytes(field: Int, value: ByteArray) {
        if (value.isNotEmpty()) message(field, value)
    }

    /** Adds a message, an empty one too. */
    fun message(field: Int, content: ByteArray) {
        varint((field.toLong() shl 3) or 2)
        varint(content.size.toLong())
        output.write(content, 0, content.size)
    }

    private fun varint(value: Long) {
        var rest = value
        while (rest ushr 7 != 0L) {
            output.write((rest and 0x7F or 0x80).toInt())
            rest = rest ushr 7
        }
        output.write(rest.toInt())
    }
}

/** Bytes that are no message of OpAMP. */
internal class ProtobufFault(problem: String) : Exception(problem)

/**
 * Reads the fields of a protobuf message. If a field comes twice, the last one counts.
 *
 * @param message The name of the message, for errors.
 */
internal class ProtobufReader(private val bytes: ByteArray, private val message: String) {
    private var index = 0

    /** Calls [read] with each field. */
    fun forEach(read: (Field) -> Unit) {
        while (index < bytes.size) {
            val tag = varint()
            val number = tag ushr 3
            if (number == 0L || number > 0xFFFF_FFFFL) fail()
            val field = when ((tag and 7).toInt()) {
                0 -> Field(number, varint(), null)
                1 -> Field(number, null, null).also { take(8) }
                2 -> Field(number, null, take(varint()))
                5 -> Field(number, null, null).also { take(4) }
                else -> fail()
            }
            read(field)
        }
    }

    private fun take(count: Long): ByteArray {
        if (count < 0 || count > bytes.size - index) fail()
        index += count.toInt()
        return bytes.copyOfRange(index - count.toInt(), index)
    }

    private fun varint(): Long {
        var value = 0L
        for (shift in 0 until 70 step 7) {
            if (index == bytes.size) fail()
            val byte = bytes[index++].toLong()
            value = value or ((byte and 0x7F) shl shift)
            if (byte >= 0) return value
        }
        fail()
    }

    private fun fail(): Nothing = throw ProtobufFault("expected $message in protobuf, found other bytes")

    inner class Field(val number: Long, private val varint: Long?, private val content: ByteArray?) {
        val integer: Long get() = varint ?: mismatch("a number")
        val bytes: ByteArray get() = content ?: mismatch("bytes")
        val text: String get() = String(bytes, Charsets.UTF_8)

        /** An id of 16 bytes, or none. */
        val uid: ByteArray
            get() = bytes.also { uid ->
                if (uid.isNotEmpty() && uid.size != 16) {
                    throw ProtobufFault("expected 16 bytes of an instance's id in $message, found ${uid.size}")
                }
            }

        private fun mismatch(expected: String): Nothing =
            throw ProtobufFault("expected $expected as field $number of $message")
    }
}
