/// The size and the place of a node on the screen in points, as the page measures them.
///
/// The page sends one as the value of ``ViewAction/measure``: a list of `width, height, x, y, top, leading, bottom,
/// trailing`, followed by `id, x, y` for each coordinate space around the node.
package struct MeasuredFrame: Hashable, Sendable {
    /// A place relative to the node of a coordinate space.
    package struct Place: Hashable, Sendable {
        package var x: Double
        package var y: Double

        package init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    package var width: Double
    package var height: Double
    /// The place on the screen.
    package var origin: Place
    /// The safe area insets at the edges that the node touches: top, leading, bottom, trailing.
    package var insets: [Double]
    /// The place in each coordinate space around the node, by the id of the space's node.
    package var places: [Int: Place]

    package init(
        width: Double, height: Double, origin: Place = Place(x: 0, y: 0), insets: [Double] = [0, 0, 0, 0],
        places: [Int: Place] = [:],
    ) {
        self.width = width
        self.height = height
        self.origin = origin
        self.insets = insets
        self.places = places
    }

    /// - Returns: `nil` if the value has another form, or a size that is negative or not finite.
    package init?(_ value: NodeValue?) {
        guard let numbers = value?.list?.compactMap(\.number), numbers.count == value?.list?.count,
            numbers.count >= 8, (numbers.count - 8).isMultiple(of: 3), numbers.allSatisfy({ abs($0) < 1e6 }),
            numbers[0] >= 0, numbers[1] >= 0
        else { return nil }
        self.init(
            width: numbers[0], height: numbers[1], origin: Place(x: numbers[2], y: numbers[3]),
            insets: Array(numbers[4..<8]))
        for start in stride(from: 8, to: numbers.count, by: 3) {
            places[Int(numbers[start])] = Place(x: numbers[start + 1], y: numbers[start + 2])
        }
    }

    package var value: NodeValue {
        let spaces = places.sorted { $0.key < $1.key }.flatMap { [Double($0.key), $0.value.x, $0.value.y] }
        return .list(([width, height, origin.x, origin.y] + insets + spaces).map { .number($0) })
    }

    /// Returns true if both have the same size, up to half a point.
    package func hasSameSize(as other: MeasuredFrame) -> Bool {
        abs(width - other.width) <= 0.5 && abs(height - other.height) <= 0.5
    }

    /// Returns true if no number differs by more than half a point.
    package func isClose(to other: MeasuredFrame) -> Bool {
        func isClose(_ a: Place, _ b: Place) -> Bool { abs(a.x - b.x) <= 0.5 && abs(a.y - b.y) <= 0.5 }
        return hasSameSize(as: other) && isClose(origin, other.origin)
            && zip(insets, other.insets).allSatisfy { abs($0 - $1) <= 0.5 } && places.keys == other.places.keys
            && places.allSatisfy { id, place in other.places[id].map { isClose(place, $0) } ?? false }
    }
}
