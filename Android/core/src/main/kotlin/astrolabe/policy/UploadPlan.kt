package astrolabe.policy

/** The way in which records leave the device, from the most to the least restrictive. */
public enum class UploadStrategy(public val value: String) {
    /** Kept on the device. */
    QUEUED("queued"),

    /** Kept until an unmetered network is available, such as Wi-Fi. */
    WIFI_ONLY("wifiOnly"),

    /** Sent when a batch is full or has waited long enough, so that the radio wakes less often. */
    BATCHED("batched"),

    /** Every flush sends all pending records. */
    IMMEDIATE("immediate")
}

/** The action for a record that is ready to be sent. */
public enum class UploadAction(public val value: String) {
    SEND_NOW("sendNow"),
    BATCH("batch"),
    WAIT_FOR_WIFI("waitForWifi"),
    QUEUE("queue")
}

/**
 * An upload strategy, and whether critical records can be sent regardless of it.
 *
 * @property canSend Whether anything can be sent: there is a network path, and the app is not suspended.
 */
public data class UploadPlan(public val strategy: UploadStrategy, public val canSend: Boolean) {
    /** Returns what to do with records of a priority. Critical ones are sent immediately if anything can be sent. */
    public fun action(priority: UploadPriority): UploadAction {
        if (!canSend) return UploadAction.QUEUE
        if (priority == UploadPriority.CRITICAL) return UploadAction.SEND_NOW
        return when (strategy) {
            UploadStrategy.IMMEDIATE -> UploadAction.SEND_NOW
            UploadStrategy.BATCHED -> UploadAction.BATCH
            UploadStrategy.WIFI_ONLY -> UploadAction.WAIT_FOR_WIFI
            UploadStrategy.QUEUED -> UploadAction.QUEUE
        }
    }
}
