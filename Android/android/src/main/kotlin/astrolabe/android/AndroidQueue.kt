package astrolabe.android

import android.content.Context
import astrolabe.queue.OfflineQueue
import astrolabe.queue.QueueConfiguration
import java.io.File

/** The queue of an app, in the folder that no backup takes to another phone. */
public object AndroidQueue {
    /** Returns the queue. Its first call opens the file, so that none of this happens on the main thread. */
    public fun of(
        context: Context,
        configuration: QueueConfiguration = QueueConfiguration(),
        onDiagnostic: (String) -> Unit = ::logWarning
    ): OfflineQueue = OfflineQueue(
        { File(context.noBackupFilesDir, "astrolabe/queue.db") }, AndroidSql.opener, configuration,
        AndroidClock.queueClock(context, onDiagnostic)
    )
}
