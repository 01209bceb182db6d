extension Sequence {
    /// The elements in an order, where those that are equal stay as they are; for what is sorted rarely.
    ///
    /// `sorted(by:)` is compiled for each type and each comparison, into 2 to 7 kB. This is compiled once, and takes a
    /// call through a table for each comparison.
    package func ordered(by precedes: (Element, Element) -> Bool) -> [Element] {
        let elements = Array(self)
        return places(elements.count) { precedes(elements[$0], elements[$1]) }.map { elements[$0] }
    }
}

@inline(never)
private func places(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] { (0..<count).sorted(by: precedes) }
