extension Duration {
    /// For attributes and for Foundation, whose intervals are `Double`s.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
