extension Duration {
    /// For those who count time in seconds as a `Double`.
    package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
