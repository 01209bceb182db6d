package astrolabe.wire

import java.io.ByteArrayOutputStream

/** A protobuf message that grows field by field. Defaults are left out, as proto3 has it, except where stated. */
public class ProtobufWriter {
    private val output = ByteArrayOutputStream()

    public val bytes: ByteArray get() = output.toByteArray()

    /** Adds a number as a varint. */
    public fun number(field: Int, value: Long) {
        if (value != 0L) member(field, value)
    }

    /** Adds a number as a varint, zero too, as members of a `oneof` need it. */
    public fun member(field: Int, value: Long) {
        tag(field, VARINT)
        varint(value)
    }

    /** Adds a number of 8 bytes. */
    public fun fixed(field: Int, value: Long) {
        if (value != 0L) fixedMember(field, value)
    }

    /** Adds a number of 8 bytes, zero too. */
    public fun fixedMember(field: Int, value: Long) {
        tag(field, EIGHT_BYTES)
        littleEndian(value, 8)
    }

    /** Adds a floating-point number, zero too. */
    public fun double(field: Int, value: Double): Unit =
        fixedMember(field, java.lang.Double.doubleToRawLongBits(value))

    /** Adds a number of 4 bytes. */
    public fun fixed(field: Int, value: Int) {
        if (value == 0) return
        tag(field, FOUR_BYTES)
        littleEndian(value.toLong(), 4)
    }

    public fun text(field: Int, value: String): Unit = bytes(field, value.toByteArray())

    public fun bytes(field: Int, value: ByteArray) {
        if (value.isNotEmpty()) message(field, value)
    }

    /** Adds a message, an empty one too. */
    public fun message(field: Int, content: ByteArray) {
        tag(field, LENGTH)
        varint(content.size.toLong())
        output.write(content, 0, content.size)
    }

    /** Adds a message that [build] writes, an empty one too. */
    public fun message(field: Int, build: ProtobufWriter.() -> Unit): Unit =
        message(field, ProtobufWriter().apply(build).bytes)

    /** Adds a packed list of varints. */
    public fun packed(field: Int, values: List<Long>) {
        if (values.isNotEmpty()) message(field) { for (value in values) varint(value) }
    }

    /** Adds a packed list of numbers of 8 bytes. */
    public fun packedFixed(field: Int, values: List<Long>) {
        if (values.isNotEmpty()) message(field) { for (value in values) littleEndian(value, 8) }
    }

    private fun tag(field: Int, type: Int): Unit = varint((field.toLong() shl 3) or type.toLong())

    private fun littleEndian(value: Long, count: Int) {
        for (index in 0 until count) output.write((value ushr 8 * index).toInt())
    }

    private fun varint(value: Long) {
        var rest = value
        while (rest ushr 7 != 0L) {
            output.write((rest and 0x7F or 0x80).toInt())
            rest = rest ushr 7
        }
        output.write(rest.toInt())
    }

    private companion object {
        const val VARINT = 0
        const val EIGHT_BYTES = 1
        const val LENGTH = 2
        const val FOUR_BYTES = 5
    }
}

/** Bytes that are not the expected message. */
public class ProtobufFault internal constructor(problem: String) : Exception(problem)

/**
 * Reads the fields of a protobuf message. If a field comes twice, the last one counts.
 *
 * @param message The name of the message, for errors.
 */
public class ProtobufReader(private val bytes: ByteArray, private val message: String) {
    private var index = 0

    /** Calls [read] with each field. */
    public fun forEach(read: (Field) -> Unit) {
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

    /** A field of the message. Its properties throw [ProtobufFault] if its type is another one. */
    public inner class Field internal constructor(
        public val number: Long,
        private val varint: Long?,
        private val content: ByteArray?
    ) {
        public val integer: Long get() = varint ?: mismatch("a number")
        public val bytes: ByteArray get() = content ?: mismatch("bytes")
        public val text: String get() = String(bytes, Charsets.UTF_8)

        /** An id of 16 bytes, or none. */
        internal val uid: ByteArray
            get() = bytes.also { uid ->
                if (uid.isNotEmpty() && uid.size != 16) {
                    throw ProtobufFault("expected 16 bytes of an instance's id in $message, found ${uid.size}")
                }
            }

        private fun mismatch(expected: String): Nothing =
            throw ProtobufFault("expected $expected as field $number of $message")
    }
}
