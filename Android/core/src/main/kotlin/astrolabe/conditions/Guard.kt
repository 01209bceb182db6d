package astrolabe.conditions

/**
 * Runs calls whose failure must not reach the app, and reports the first failure of each.
 *
 * @param onDiagnostic Called with a text for a log, on any thread.
 */
public class Guard(private val onDiagnostic: (String) -> Unit) {
    private val reported = HashSet<String>()

    /** Returns what [body] returns; what [otherwise] returns if it throws. */
    public fun <Result> call(name: String, otherwise: () -> Result, body: () -> Result): Result = try {
        body()
    } catch (failure: Throwable) {
        report(name, failure)
        otherwise()
    }

    /** Runs [body]; whatever it throws ends here. */
    public fun run(name: String, body: () -> Unit): Unit = call(name, {}, body)

    /** Reports a failure, unless this call has failed before. */
    public fun report(name: String, failure: Throwable) {
        if (!synchronized(reported) { reported.add(name) }) return
        try {
            onDiagnostic("$name failed: $failure. Later failures of the same call are not reported.")
        } catch (_: Throwable) {
            // A log that fails has nowhere to report to.
        }
    }
}
