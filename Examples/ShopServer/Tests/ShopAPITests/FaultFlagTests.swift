import Foundation
import ShopAPI
import Testing

@Suite struct FaultFlagTests {
    @Test func `a change sets what it names and leaves the rest`() throws {
        var flags = FaultFlags()
        flags.cartFailure = 25
        flags.apply(try FaultFlagChange(["paymentFailure=50", "adFailure=on", "imageSlowLoad=5000"]))
        #expect(flags.cartFailure == 25)
        #expect(flags.paymentFailure == 50)
        #expect(flags.adFailure)
        #expect(flags.imageSlowLoad == 5000)
        flags.apply(try FaultFlagChange(["adFailure=false"]))
        #expect(!flags.adFailure)
    }

    @Test func `every flag is set and read by its name`() throws {
        for name in FaultFlags.Name.allCases {
            let value: FaultFlags.Value = name.range.map { .number($0.upperBound) } ?? .toggle(true)
            var change = FaultFlagChange()
            try change.set(name, to: value)
            var flags = FaultFlags()
            #expect(flags[name] != value)
            flags.apply(change)
            #expect(flags[name] == value)
            #expect(flags != FaultFlags())
            let decoded = try ShopJSON.decode(FaultFlagChange.self, from: ShopJSON.encode(change))
            #expect(decoded == change)
        }
    }

    @Test func `names on the wire are those of the type's properties`() throws {
        let json = try ShopJSON.encode(FaultFlags())
        let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(Set(object.keys) == Set(FaultFlags.Name.allCases.map(\.rawValue)))
    }

    @Test(arguments: [
        (["nosuch=on"], FaultFlagError.unknownFlag("nosuch")),
        (["cartFailure=101"], .notAValue(name: "cartFailure")),
        (["cartFailure=-1"], .notAValue(name: "cartFailure")),
        (["cartFailure=on"], .notAValue(name: "cartFailure")),
        (["adFailure=1"], .notAValue(name: "adFailure")),
        (["adFailure=maybe"], .notAValue(name: "adFailure")),
        (["intlShippingSlowdown=61"], .notAValue(name: "intlShippingSlowdown")),
        (["adFailure"], .notAnAssignment("adFailure")),
    ])
    func `a wrong assignment is refused`(assignments: [String], error: FaultFlagError) {
        #expect(throws: error) { try FaultFlagChange(assignments) }
    }

    @Test func `refusals say what would be right`() {
        #expect(
            FaultFlagError.notAValue(name: "cartFailure").description
                == "cartFailure takes a whole number from 0 to 100")
        #expect(FaultFlagError.unknownFlag("x").description.contains("paymentUnreachable"))
    }
}
