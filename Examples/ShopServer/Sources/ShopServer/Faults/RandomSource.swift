import Foundation

/// The shop's one source of chance, so that a test can decide what happens.
struct RandomSource: RandomNumberGenerator, Sendable {
    let source: @Sendable () -> UInt64

    mutating func next() -> UInt64 { source() }

    /// True `percent` times in a hundred; 0 is never, 100 is always.
    func happens(percent: Int) -> Bool {
        guard percent > 0 else { return false }
        var generator = self
        return Int.random(in: 0..<100, using: &generator) < percent
    }

    /// A random (version 4) UUID in lower case.
    func uuid() -> String {
        var bytes = (0..<2).flatMap { _ in withUnsafeBytes(of: source().bigEndian) { Array($0) } }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let uuid = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        return uuid.uuidString.lowercased()
    }

    /// Up to `count` elements in random order.
    func pick<Element>(_ count: Int, of elements: [Element]) -> [Element] {
        var generator = self
        return Array(elements.shuffled(using: &generator).prefix(count))
    }
}
