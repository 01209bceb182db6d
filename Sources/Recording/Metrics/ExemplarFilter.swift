/// The measurements that may become exemplars: examples of a data point with the span in which they were made.
public enum ExemplarFilter: String, Hashable, Sendable, CaseIterable {
    /// None. Measuring costs nothing more than without exemplars.
    case off = "always_off"
    /// Those inside a span that is recorded and sampled.
    case traceBased = "trace_based"
    /// All of them.
    case alwaysOn = "always_on"
}
