import Foundation

/// The traps of Swift, each in a function of its own that no optimiser may do away with.
enum SwiftCrashes {
    static func end(by name: String) {
        switch name {
        case "fatal-error": stop()
        case "precondition": require(number(0))
        case "forced-unwrap": print(unwrap(ProcessInfo.processInfo.processName))
        case "index": print(pick([1, 2, 3], number(7)))
        case "overflow": print(add(Int8(truncatingIfNeeded: number(1)), Int8(truncatingIfNeeded: number(127))))
        case "division-by-zero": print(divide(7, number(0)))
        case "forced-cast": print(cast(number(1)))
        case "unowned": print(look(number(1)))
        case "inlined": print(polish([1, 2, 3], number(7)))
        case "stack-overflow": print(deepen(number(1)))
        default: print("expected a way to end, found \(name)")
        }
    }

    /// The same number, which the compiler cannot know.
    @inline(never)
    private static func number(_ number: Int) -> Int { ProcessInfo.processInfo.arguments.count > 90 ? 0 : number }

    @inline(never)
    private static func stop() {
        fatalError("the telescope fell over")  // crashes here: fatal-error
    }

    @inline(never)
    private static func require(_ lenses: Int) {
        precondition(lenses == 1, "a lens is missing")  // crashes here: precondition
        print(lenses)
    }

    @inline(never)
    private static func unwrap(_ text: String) -> Int {
        // swift-format-ignore: NeverForceUnwrap
        Int(text)! + 1  // crashes here: forced-unwrap
    }

    @inline(never)
    private static func pick(_ lenses: [Int], _ index: Int) -> Int {
        lenses[index]  // crashes here: index
    }

    @inline(never)
    private static func add(_ left: Int8, _ right: Int8) -> Int8 {
        left + right  // crashes here: overflow
    }

    @inline(never)
    private static func divide(_ left: Int, _ right: Int) -> Int {
        left / right  // crashes here: division-by-zero
    }

    @inline(never)
    private static func cast(_ value: Any) -> String {
        // swift-format-ignore: NeverForceUnwrap
        value as! String  // crashes here: forced-cast
    }

    private final class Telescope {
        let lenses: Int

        init(_ lenses: Int) { self.lenses = lenses }
    }

    @inline(never)
    private static func look(_ lenses: Int) -> Int {
        unowned var telescope: Telescope
        do {
            let lost = Telescope(lenses)
            telescope = lost
        }
        return telescope.lenses  // crashes here: unowned
    }

    @inline(never)
    private static func polish(_ lenses: [Int], _ index: Int) -> Int {
        wipe(lenses, index) + 1  // inlined here: inlined
    }

    @inline(__always)
    private static func wipe(_ lenses: [Int], _ index: Int) -> Int {
        lenses[index] * 2  // crashes here: inlined
    }

    @inline(never)
    static func deepen(_ depth: Int) -> Int {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 64) { memory in
            memory[0] = depth
            return depth > 0 ? deepen(depth + 1) + memory[0] : 0  // crashes here: stack-overflow
        }
    }
}
