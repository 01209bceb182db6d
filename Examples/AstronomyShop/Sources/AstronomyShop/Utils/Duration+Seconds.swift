extension Duration {
    /// The duration in seconds, for attributes and for Foundation's intervals.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
