/// Tells the newest of several loads under way, so that a slow old answer does not replace a new one.
struct LatestLoad {
    private var newest = 0

    /// The number of a load that begins now.
    mutating func begin() -> Int {
        newest += 1
        return newest
    }

    func isNewest(_ load: Int) -> Bool { load == newest }
}
