package astrolabe.policy

/**
 * What to collect and how to send it, with the reasons.
 *
 * @property samplingRate The share of sessions and trace roots that is kept, 0 to 1.
 * @property flushInterval Seconds between two flushes.
 * @property replayFrameRate Frames per second of a session replay; 0 stops it.
 * @property breadcrumbs Maximum breadcrumbs that are kept.
 * @property replayFrames Maximum replay frames per minute; 0 stops the replay.
 * @property reasons The texts are those of the Swift SDK. The first one determines the mode.
 * @property remote The remote document in force; `null` if there is none.
 */
public data class PolicyDecision(
    public val mode: TelemetryMode,
    public val samplingRate: Double,
    public val flushInterval: Double,
    public val upload: UploadPlan,
    public val replayFrameRate: Double,
    public val breadcrumbs: Int,
    public val replayFrames: Int,
    public val budget: BudgetTier,
    public val admission: Admission,
    public val reasons: List<String>,
    public val remote: RemotePolicy? = null
) {
    /**
     * Returns whether a record is kept, depending on whether its trace or session is sampled.
     *
     * @param scope The name of its instrumentation scope, which a kill switch of the remote document may name.
     */
    public fun admits(
        kind: TelemetryKind,
        isSampled: Boolean,
        isOfApp: Boolean = false,
        scope: String = ""
    ): Boolean =
        remote?.turnsOff(kind, scope) != true && kind.admission(mode, admission, isOfApp).admits(isSampled)
}
