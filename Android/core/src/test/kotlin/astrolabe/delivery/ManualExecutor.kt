package astrolabe.delivery

/** Runs all work when the test advances the time. */
internal class ManualExecutor : FlushExecutor {
    private class Work(val time: Double, val body: () -> Unit)

    private var waiting = listOf<Work>()
    private var hung = {}
    override var now = 1_000.0
        private set

    /** Whether the next call of a sender hangs. */
    var hangs = false

    override fun execute(work: () -> Unit) {
        schedule(0.0, work)
    }

    override fun schedule(delay: Double, work: () -> Unit): () -> Unit {
        val entry = Work(now + delay, work)
        waiting = waiting + entry
        return { waiting = waiting - entry }
    }

    override fun <Result : Any> call(seconds: Double, work: () -> Result, late: (Result) -> Unit): Result? {
        if (!hangs) return work()
        hangs = false
        now += seconds
        hung = {
            val result = work()
            execute { late(result) }
        }
        return null
    }

    /** Ends the call that hangs. */
    fun finish(): Unit = hung()

    fun advance(seconds: Double) {
        val end = now + seconds
        while (true) {
            val next = waiting.filter { it.time <= end }.sortedBy { it.time }.firstOrNull() ?: break
            waiting = waiting - next
            now = maxOf(now, next.time)
            next.body()
        }
        now = maxOf(now, end)
    }
}
