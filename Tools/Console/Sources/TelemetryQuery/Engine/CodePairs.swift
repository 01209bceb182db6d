/// A code for each row, made of two: rows have the same if both are the same.
struct CodePairs {
    /// Below `count`.
    let codes: [UInt32]
    let count: Int
    /// The number of codes that the second may have.
    private let width: Int
    /// The pairs that occur by code, if not each possible pair has a code.
    private let pairs: [UInt64]?

    /// - Parameters:
    ///   - first: Codes below `count`.
    ///   - second: Codes below `width`. They may be empty if `width` is 1.
    init(_ first: [UInt32], count: Int, _ second: [UInt32], width: Int) {
        self.width = width
        if width == 1 || count == 1 {
            (codes, self.count, pairs) = (width == 1 ? first : second, count * width, nil)
        } else if count * width <= max(4_096, 4 * first.count) {
            let factor = UInt32(width)
            let (firstArray, secondArray) = (first.contiguous, second.contiguous)
            let (first, second) = (firstArray.span, secondArray.span)
            codes = Array(unsafeUninitializedCapacity: first.count) { codes, initialized in
                for row in 0..<first.count { codes[row] = first[unchecked: row] &* factor &+ second[unchecked: row] }
                initialized = first.count
            }
            (self.count, pairs) = (count * width, nil)
        } else {
            var index = KeyIndex()
            codes = zip(first, second).map { UInt32(index.insert(UInt64($0) * UInt64(width) + UInt64($1))) }
            (self.count, pairs) = (index.keys.count, index.keys)
        }
    }

    /// Returns the two codes that a code is made of.
    func pair(_ code: Int) -> (first: Int, second: Int) {
        let pair = Int(pairs?[code] ?? UInt64(code))
        return (pair / width, pair % width)
    }

    /// Returns how many rows have each code.
    func occurrences() -> [Int32] {
        if count == 1 { return [Int32(codes.count)] }
        var result = ContiguousArray<Int32>(repeating: 0, count: count)
        var counts = result.mutableSpan
        for code in codes { counts[unchecked: Int(code)] &+= 1 }
        return Array(result)
    }
}
