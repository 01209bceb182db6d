/// Identifies the newest of several concurrent loads, so that a late response does not replace a newer one.
struct LatestLoad {
    private var newest = 0

    /// Returns the number of a load that starts now.
    mutating func begin() -> Int {
        newest += 1
        return newest
    }

    func isNewest(_ load: Int) -> Bool { load == newest }
}
