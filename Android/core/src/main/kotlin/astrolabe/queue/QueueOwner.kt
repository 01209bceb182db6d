package astrolabe.queue

import java.io.File
import java.io.IOException
import java.io.RandomAccessFile
import java.util.UUID

/**
 * Proof that the owner of leases is alive: a file beside the database, locked while the owner lives.
 *
 * The system releases the lock however the process ends.
 */
internal class QueueOwner private constructor(
    val name: String,
    private val file: File,
    private val access: RandomAccessFile
) {
    fun release() {
        file.delete()
        access.close()
        synchronized(living) { living.remove(name) }
    }

    companion object {
        private const val INFIX = "-owner-"

        /**
         * The names of this process's owners, whose folder may have several paths.
         *
         * Their files must not be opened again: closing any file descriptor of a file ends all locks of its process.
         */
        private val living = HashSet<String>()

        /** Creates and locks the file. */
        fun create(database: File): QueueOwner {
            for (attempt in 1..3) {
                val name = UUID.randomUUID().toString()
                val file = File(database.path + INFIX + name)
                synchronized(living) { living.add(name) }
                val access = RandomAccessFile(file, "rw")
                // Another process may have removed the file as a dead owner's before it was locked.
                if (access.channel.tryLock() != null && file.exists()) return QueueOwner(name, file, access)
                QueueOwner(name, file, access).release()
            }
            throw IOException("cannot lock a file beside ${database.path}")
        }

        /** Returns whether no process holds the lock of this owner's file. If so, removes the file. */
        fun isDead(name: String, database: File): Boolean {
            val file = File(database.path + INFIX + name)
            if (synchronized(living) { name in living }) return false
            if (!file.exists()) return true
            val access = try {
                RandomAccessFile(file, "rw")
            } catch (_: IOException) {
                return false
            }
            val isDead = access.channel.tryLock() != null
            if (isDead) file.delete()
            access.close()
            return isDead
        }

        /** The names of all owners that have a file, including dead ones. */
        fun all(database: File): List<String> {
            val prefix = database.name + INFIX
            val names = database.absoluteFile.parentFile?.list() ?: emptyArray()
            return names.filter { it.startsWith(prefix) }.map { it.removePrefix(prefix) }
        }
    }
}
