import AstrolabePlatform
import Foundation
import Testing

@Suite struct IDGeneratorTests {
    @Test func `ids are unique across threads`() {
        let ids = IDGenerator()
        let collected = Locked<[UInt64]>([])
        let group = DispatchGroup()
        for _ in 0..<4 {
            let thread = Thread {
                let own = (0..<20_000).map { $0 % 2 == 0 ? ids.next64() : ids.next128().low }
                collected.withLock { $0 += own }
                group.leave()
            }
            group.enter()
            thread.start()
        }
        group.wait()
        #expect(Set(collected.withLock { $0 }).count == 80_000)
    }

    @Test func `no id is zero`() {
        // The generator skips the state that mixes to zero: this seed makes it the first.
        let step: UInt64 = 0x9E37_79B9_7F4A_7C15
        let ids = IDGenerator(firstSeed: 0 &- step, secondSeed: 0)
        #expect((0..<10_000).allSatisfy { _ in ids.next64() != 0 })
        let pairs = IDGenerator(firstSeed: 0 &- step, secondSeed: 0)
        #expect((0..<10_000).allSatisfy { _ in pairs.next128().low != 0 })
    }

    @Test func `equal seeds give equal ids, and different seeds different ones`() {
        func first(_ seeds: (UInt64, UInt64)) -> [UInt64] {
            let ids = IDGenerator(firstSeed: seeds.0, secondSeed: seeds.1)
            return (0..<100).flatMap { _ in
                let (high, low) = ids.next128()
                return [high, low, ids.next64()]
            }
        }
        #expect(first((1, 2)) == first((1, 2)))
        #expect(first((1, 2)) != first((1, 3)))
        #expect(first((1, 2)) != first((2, 2)))
        #expect(IDGenerator().next64() != IDGenerator().next64())
    }

    @Test func `bits are uniformly distributed, so that samplers may use them`() {
        let ids = IDGenerator(firstSeed: 3, secondSeed: 4)
        var ones = Array(repeating: 0, count: 128)
        let count = 20_000
        for _ in 0..<count {
            let (high, low) = ids.next128()
            for bit in 0..<64 {
                ones[bit] += Int(low >> UInt64(bit) & 1)
                ones[64 + bit] += Int(high >> UInt64(bit) & 1)
            }
        }
        // Five standard deviations; the seeds are fixed, so the test is deterministic.
        let deviation = (Double(count) / 4).squareRoot()
        #expect(ones.allSatisfy { abs(Double($0) - Double(count) / 2) < 5 * deviation })
    }

    @Test func `UUIDs are of version 4 and unique`() throws {
        let ids = IDGenerator(firstSeed: 5, secondSeed: 6)
        let uuids = (0..<2_000).map { _ in ids.nextUUID() }
        #expect(Set(uuids).count == 2_000)
        for text in uuids {
            let uuid = try #require(UUID(uuidString: text))
            #expect(text == text.lowercased() && uuid.uuidString.lowercased() == text)
            #expect(uuid.uuid.6 >> 4 == 4)
            #expect(uuid.uuid.8 >> 6 == 2)
        }
    }
}
