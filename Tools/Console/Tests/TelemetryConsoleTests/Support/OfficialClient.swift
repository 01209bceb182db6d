import AstrolabeTestSupport

/// The runner of the clients of others. Each run of one starts an interpreter, which takes seconds.
enum OfficialClient {
    /// Every value of both lists once; in a thorough run, every pair.
    static func pairs(_ first: [String], _ second: [String]) -> [(String, String)] {
        guard !Thoroughness.isThorough else { return first.flatMap { one in second.map { (one, $0) } } }
        return (0..<max(first.count, second.count)).map { (first[$0 % first.count], second[$0 % second.count]) }
    }
}
