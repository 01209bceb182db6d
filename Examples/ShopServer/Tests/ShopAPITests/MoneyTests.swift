import AstrolabeSeededRandomness
import Foundation
import ShopAPI
import Testing

@Suite struct MoneyTests {
    @Test func `units and nanos come out with one sign`() {
        #expect(usd(1, -250_000_000) == usd(0, 750_000_000))
        #expect(usd(-1, 250_000_000) == usd(0, -750_000_000))
        #expect(usd(2, -1_500_000_000) == usd(0, 500_000_000))
        #expect(usd(0, 2_000_000_001) == usd(2, 1))
        #expect(usd(0, -2_000_000_001) == usd(-2, -1))
    }

    @Test func `an amount at the end of 64 bits stays there`() {
        #expect(usd(.max, 1_999_999_999) == usd(.max, 999_999_999))
        #expect(usd(.min, -1_999_999_999) == usd(.min, -999_999_999))
    }

    @Test func `addition carries and keeps one sign`() throws {
        #expect(try usd(57, 80_000_000).adding(usd(8, 990_000_000)) == usd(66, 70_000_000))
        #expect(try usd(5, 0).adding(usd(-4, -300_000_000)) == usd(0, 700_000_000))
        #expect(try usd(-5, 0).adding(usd(4, 300_000_000)) == usd(0, -700_000_000))
        #expect(try usd(.max, 600_000_000).adding(usd(-1, -700_000_000)) == usd(.max - 2, 900_000_000))
    }

    @Test func `the number for telemetry has no more digits than the currency`() {
        #expect(Money(currencyCode: "USD", units: 277, nanos: 41_309_153).approximateValue == 277.04)
        #expect(Money(currencyCode: "EUR", units: -7, nanos: -955_000_000).approximateValue == -7.96)
        #expect(Money(currencyCode: "JPY", units: 15_738, nanos: 500_000_000).approximateValue == 15_739)
        #expect(usd(.max, 999_999_999).approximateValue == 0x1p63)
    }

    @Test func `two currencies are not added, and not compared`() {
        let euros = Money(currencyCode: "EUR", units: 1)
        let mismatch = MoneyError.currencyMismatch(expected: "USD", found: "EUR")
        #expect(throws: mismatch) { try usd(1, 0).adding(euros) }
        #expect(throws: mismatch) { try usd(1, 0).isLess(than: euros) }
        #expect(throws: mismatch) { try Money.sum([usd(1, 0), euros], currencyCode: "USD") }
    }

    @Test func `what does not fit is reported`() {
        #expect(throws: MoneyError.overflow) { try usd(.max, 0).adding(usd(1, 0)) }
        #expect(throws: MoneyError.overflow) { try usd(.max, 500_000_000).adding(usd(0, 500_000_000)) }
        #expect(throws: MoneyError.overflow) { try usd(.min, 0).adding(usd(-1, 0)) }
        #expect(throws: MoneyError.overflow) { try usd(.max, 0).multiplied(by: 2) }
        #expect(throws: MoneyError.overflow) { try usd(.max, 0).multiplied(by: .min) }
        #expect(throws: MoneyError.overflow) { try usd(.min, 0).multiplied(by: -1) }
        #expect(throws: MoneyError.overflow) { try usd(.max, 999_999_999).rounded(toDecimals: 2) }
        #expect(throws: MoneyError.overflow) { try usd(.max, 0).converted(to: currency("IDR")) }
    }

    @Test func `the smallest amount survives its own arithmetic`() throws {
        #expect(try usd(.min, -5).multiplied(by: 1) == usd(.min, -5))
        #expect(try usd(.min, 0).rounded(toDecimals: 0) == usd(.min, 0))
        #expect(try usd(.max, 0).multiplied(by: -1) == usd(-.max, 0))
    }

    @Test func `multiplication agrees with decimal arithmetic`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let amount = usd(
                .random(in: -1_000_000_000_000...1_000_000_000_000, using: &generator),
                .random(in: -999_999_999...999_999_999, using: &generator),
            )
            let quantity = Int.random(in: -1_000...1_000, using: &generator)
            let product = try amount.multiplied(by: quantity)
            #expect(decimal(product) == decimal(amount) * Decimal(quantity))
            #expect(try product.adding(amount) == amount.multiplied(by: quantity + 1))
        }
    }

    @Test func `halves are rounded away from zero`() throws {
        #expect(try usd(1, 5_000_000).rounded(toDecimals: 2) == usd(1, 10_000_000))
        #expect(try usd(1, 4_999_999).rounded(toDecimals: 2) == usd(1, 0))
        #expect(try usd(-1, -5_000_000).rounded(toDecimals: 2) == usd(-1, -10_000_000))
        #expect(try usd(1, 999_999_999).rounded(toDecimals: 2) == usd(2, 0))
        #expect(try usd(0, 499_999_999).rounded(toDecimals: 0) == usd(0, 0))
        #expect(try usd(0, 500_000_000).rounded(toDecimals: 0) == usd(1, 0))
        #expect(try usd(1, 123_456_789).rounded(toDecimals: 9) == usd(1, 123_456_789))
    }

    @Test func `amounts in one currency have an order`() throws {
        #expect(try usd(-1, -1).isLess(than: usd(-1, 0)))
        #expect(try usd(0, -1).isLess(than: usd(0, 0)))
        #expect(try usd(1, 1).isLess(than: usd(2, 0)))
        #expect(try !usd(1, 1).isLess(than: usd(1, 1)))
    }

    @Test(
        arguments: [
            ("USD", 3599, 0, "$3,599.00"), ("USD", 0, 990_000_000, "$0.99"), ("USD", -1, -500_000_000, "-$1.50"),
            ("USD", 1_234_567, 5_000_000, "$1,234,567.01"), ("USD", 0, 999_999_999, "$1.00"),
            ("EUR", 50, 490_933_215, "€50.49"), ("JPY", 15_738, 500_000_000, "¥15,739"), ("JPY", 0, -1, "¥0"),
            ("CHF", 101, 600_000_000, "CHF\u{A0}101.60"), ("XYZ", 12, 0, "XYZ\u{A0}12.00"),
            ("KRW", 999, 500_000_000, "₩1,000"), ("USD", .max, 0, "$9,223,372,036,854,775,807.00"),
            ("USD", .min, 0, "-$9,223,372,036,854,775,808.00"),
        ] as [(String, Int64, Int32, String)])
    func `a person reads symbol, groups and the currency's own digits`(
        code: String, units: Int64, nanos: Int32, expected: String,
    ) {
        #expect(Money(currencyCode: code, units: units, nanos: nanos).formatted == expected)
    }

    @Test func `units travel as a number, and a carry out of range is refused`() throws {
        let json = try ShopJSON.encode(usd(57, 80_000_000))
        #expect(String(decoding: json, as: UTF8.self) == #"{"currencyCode":"USD","nanos":80000000,"units":57}"#)
        #expect(try JSONDecoder().decode(Money.self, from: json) == usd(57, 80_000_000))
        let mixed = Data(#"{"currencyCode":"USD","units":1,"nanos":-250000000}"#.utf8)
        #expect(try JSONDecoder().decode(Money.self, from: mixed) == usd(0, 750_000_000))
        let tooLarge = Data(#"{"currencyCode":"USD","units":9223372036854775807,"nanos":1000000000}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Money.self, from: tooLarge) }
    }
}

func usd(_ units: Int64, _ nanos: Int32) -> Money {
    Money(currencyCode: "USD", units: units, nanos: nanos)
}

func currency(_ code: String) throws -> Currency {
    try #require(Currency(code: code))
}

func decimal(_ amount: Money) -> Decimal {
    Decimal(amount.units) + Decimal(amount.nanos) / 1_000_000_000
}
