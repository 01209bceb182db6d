import ConsoleModel

extension CumulativeRun {
    /// Returns SQL for ``countsInFull(start:time:)``. The columns may have the alias `point`.
    static func countsInFull(_ point: String) -> String {
        "(\(point)start > 0 AND \(point)time - \(point)start <= \(longestStart))"
    }
}
