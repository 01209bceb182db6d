import Foundation

/// The function that a hang is attributed to.
///
/// It is the deepest of the app's own functions that more than half of the samples have on their stacks. So two hangs
/// of one animation are one issue, although their first and last samples were taken in different helpers. A closure
/// counts as the function that it is in.
///
/// If most samples have own code but none in common, it is the function on the most of them. If most have none, the
/// other functions in the app's image are looked at in the same way.
struct HangCause {
    let spot: StackSpot

    /// - Parameter stacks: The samples, each innermost first.
    init?(_ stacks: [[ReadFrame]]) {
        let found = StackSpot.levels(of: stacks).lazy.compactMap { level in
            Self.spot(level.map { $0.map(Self.withoutClosure) })
        }
        guard let spot = found.first else { return nil }
        self.spot = spot
    }

    /// A function, how many stacks have it, and the sum of its depths in them.
    private struct Share {
        let spot: StackSpot
        var stacks = 0
        var depth = 0

        var meanDepth: Double { Double(depth) / Double(stacks) }
    }

    private static func spot(_ stacks: [[StackSpot]]) -> StackSpot? {
        guard isMost(stacks.count { !$0.isEmpty }, of: stacks) else { return nil }
        let all = shares(stacks)
        // The app's entry is on every stack of the main thread.
        let inner = all.filter { !isEntry($0.spot.name) }
        let common = inner.filter { isMost($0.stacks, of: stacks) }
        if let deepest = common.max(by: { ($0.meanDepth, $1.spot.name) < ($1.meanDepth, $0.spot.name) }) {
            return deepest.spot
        }
        let busy = stacks.count { stack in stack.contains { !isEntry($0.name) } }
        let mostFrequent = (isMost(busy, of: stacks) ? inner : all).max {
            ($0.stacks, $0.meanDepth, $1.spot.name) < ($1.stacks, $1.meanDepth, $0.spot.name)
        }
        return mostFrequent?.spot
    }

    private static func isMost(_ count: Int, of stacks: [[StackSpot]]) -> Bool { count * 2 > stacks.count }

    private static func shares(_ stacks: [[StackSpot]]) -> [Share] {
        var shares: [String: Share] = [:]
        for stack in stacks {
            var seen: Set<String> = []
            // From the outermost, so that a recursion counts as its first call.
            for (depth, spot) in stack.reversed().enumerated() where seen.insert(spot.name).inserted {
                shares[spot.name, default: Share(spot: spot)].stacks += 1
                shares[spot.name]?.depth += depth
            }
        }
        return Array(shares.values)
    }

    private static func isEntry(_ name: String) -> Bool {
        name == "main" || name.hasSuffix(".main()") || name.hasSuffix(".$main()")
    }

    /// The function around a closure, as in `closure #1 in CometTail.grains(at:)`.
    private static func withoutClosure(_ spot: StackSpot) -> StackSpot {
        var name = spot.name[...]
        while closures.contains(where: { name.hasPrefix($0) }), let end = name.range(of: " in ") {
            name = name[end.upperBound...]
        }
        return StackSpot(name: String(name), file: spot.file, line: spot.line)
    }

    private static let closures = ["closure #", "implicit closure #", "autoclosure #"]
}
