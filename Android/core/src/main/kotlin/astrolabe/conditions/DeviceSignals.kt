package astrolabe.conditions

/**
 * What the core needs to know of the device: one of the two interfaces that a platform implements.
 *
 * `AndroidSignals` implements it with the platform's services.
 */
public interface DeviceSignals {
    /** The conditions now. */
    public val current: Conditions

    /**
     * Calls [observer] after each change with the conditions before and after it, on any thread.
     *
     * @return A function that ends the calls.
     */
    public fun observe(observer: (Conditions, Conditions) -> Unit): () -> Unit

    /** Asks for what the platform does not report by itself. Called before each flush, on the thread of the flush. */
    public fun refresh() {}
}

/** Holds the conditions, and tells observers about changes. */
public class ConditionsStore(initial: Conditions = Conditions()) : DeviceSignals {
    private val lock = Any()
    private var conditions = initial
    private var observers = emptyList<(Conditions, Conditions) -> Unit>()

    override val current: Conditions get() = synchronized(lock) { conditions }

    override fun observe(observer: (Conditions, Conditions) -> Unit): () -> Unit {
        synchronized(lock) { observers = observers + observer }
        return { synchronized(lock) { observers = observers.filter { it !== observer } } }
    }

    /** Changes the conditions; calls the observers if they differ from before. */
    public fun update(change: (Conditions) -> Conditions) {
        val before: Conditions
        val after: Conditions
        val called: List<(Conditions, Conditions) -> Unit>
        synchronized(lock) {
            before = conditions
            after = change(before)
            conditions = after
            called = observers
        }
        if (before != after) for (observer in called) observer(before, after)
    }
}
