import Foundation

/// The arguments of `./astrolabe bench`.
struct BenchmarkOptions: Sendable {
    static let usage = """
        Usage: ./astrolabe bench [--list] [--short] [--spans N] [--minutes N] [--store-size GIB] [--rates S,L,P]
                                 [SECTION...]

        With --list it prints the sections. With --short it takes minutes, by fewer rounds and smaller stores.
        The stores of fairness and live have N spans (default 1000000, short 100000).
        The sections hour and soak take N minutes (default 60, short 10).
        The console of soak removes records beyond GIB (default 0.2, short 0.05).
        It gets S spans, L log records and P points a second (default 600,160,60).

        Without a section it runs all but hour and soak. The exit status is 1 if a section fails.
        """

    var sections: [String] = []
    var lists = false
    var isShort = false
    private var chosenSpans: Int?
    private var chosenMinutes: Int?
    private var chosenSize: Double?
    private(set) var rates = (spans: 600, logs: 160, points: 60)

    var spans: Int { chosenSpans ?? (isShort ? 100_000 : 1_000_000) }
    var minutes: Int { chosenMinutes ?? (isShort ? 10 : 60) }
    /// In GiB.
    var storeSize: Double { chosenSize ?? (isShort ? 0.05 : 0.2) }

    init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
        while let word = rest.popFirst() {
            switch word {
            case "--list": lists = true
            case "--short": isShort = true
            case "--spans": chosenSpans = try Self.number(word, rest.popFirst(), in: 1_000...100_000_000)
            case "--minutes": chosenMinutes = try Self.number(word, rest.popFirst(), in: 1...100_000)
            case "--store-size": chosenSize = try Self.size(word, rest.popFirst())
            case "--rates": rates = try Self.rates(word, rest.popFirst())
            case _ where word.hasPrefix("-"): throw BenchmarkFailure("unknown option \(word)\n\n\(Self.usage)")
            default: sections.append(word)
            }
        }
    }

    private static func number(_ option: String, _ text: String?, in range: ClosedRange<Int>) throws -> Int {
        guard let number = text.flatMap({ Int($0) }), range.contains(number) else {
            throw BenchmarkFailure(
                "\(option): expected \(range.lowerBound) to \(range.upperBound), found \(text ?? "nothing")")
        }
        return number
    }

    private static func size(_ option: String, _ text: String?) throws -> Double {
        guard let size = text.flatMap({ Double($0) }), (0.01...10_000).contains(size) else {
            throw BenchmarkFailure("\(option): expected 0.01 to 10000 GiB, found \(text ?? "nothing")")
        }
        return size
    }

    private static func rates(_ option: String, _ text: String?) throws -> (spans: Int, logs: Int, points: Int) {
        let numbers = (text ?? "").split(separator: ",").compactMap { Int($0) }
        guard numbers.count == 3, numbers.allSatisfy({ (1...100_000).contains($0) }) else {
            throw BenchmarkFailure("\(option): expected three numbers such as 600,160,60, found \(text ?? "nothing")")
        }
        return (numbers[0], numbers[1], numbers[2])
    }
}
