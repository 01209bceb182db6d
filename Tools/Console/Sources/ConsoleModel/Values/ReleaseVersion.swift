/// The position of an app version among others, in the order of [Semantic Versioning](https://semver.org).
///
/// Numbers compare as numbers, and missing parts are 0. A pre-release is lower than its release. A version without
/// numbers is lower than all that have them, and the empty version is the lowest.
struct ReleaseVersion: Sendable, Hashable {
    /// 0 for no version, 1 for text, 2 for numbers.
    private let rank: Int
    private let numbers: [Number]
    private let prerelease: [Identifier]

    /// A number of any length, without leading zeros.
    private struct Number: Sendable, Hashable, Comparable {
        let digits: String

        init?(_ text: some StringProtocol) {
            guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            digits = String(text.drop { $0 == "0" })
        }

        static func < (left: Number, right: Number) -> Bool {
            (left.digits.utf8.count, left.digits) < (right.digits.utf8.count, right.digits)
        }
    }

    private struct Identifier: Sendable, Hashable, Comparable {
        let number: Number?
        let text: String

        static func < (left: Identifier, right: Identifier) -> Bool {
            switch (left.number, right.number) {
            case (let one?, let other?): one < other
            case (nil, nil): left.text < right.text
            case (let one, _): one != nil
            }
        }
    }

    init(_ version: String) {
        let withoutBuild = version.split(separator: "+", omittingEmptySubsequences: false)[0]
        let text = withoutBuild.first == "v" || withoutBuild.first == "V" ? withoutBuild.dropFirst() : withoutBuild
        let parts = text.split(separator: "-", maxSplits: 1)
        let core = (parts.first ?? "").split(separator: ".", omittingEmptySubsequences: false).map { Number($0) }
        guard !core.contains(nil), !core.isEmpty else {
            rank = version.isEmpty ? 0 : 1
            numbers = []
            prerelease = []
            return
        }
        rank = 2
        var numbers = core.compactMap { $0 }
        while numbers.last?.digits.isEmpty == true { numbers.removeLast() }
        self.numbers = numbers
        prerelease =
            parts.count < 2
            ? [] : parts[1].split(separator: ".").map { Identifier(number: Number($0), text: String($0)) }
    }
}

extension ReleaseVersion: Comparable {
    static func < (left: ReleaseVersion, right: ReleaseVersion) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        if left.numbers != right.numbers { return left.numbers.lexicographicallyPrecedes(right.numbers) }
        if left.prerelease.isEmpty != right.prerelease.isEmpty { return !left.prerelease.isEmpty }
        return left.prerelease.lexicographicallyPrecedes(right.prerelease)
    }
}
