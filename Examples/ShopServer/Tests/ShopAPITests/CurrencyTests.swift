import AstrolabeSeededRandomness
import Foundation
import ShopAPI
import Testing

@Suite struct CurrencyTests {
    /// The table of the OpenTelemetry demo's currency service: what one euro buys.
    private static let rates = """
        EUR 1.0, USD 1.1305, JPY 126.40, BGN 1.9558, CZK 25.592, DKK 7.4609, GBP 0.85970, HUF 315.51, PLN 4.2996, \
        RON 4.7463, SEK 10.5375, CHF 1.1360, ISK 136.80, NOK 9.8040, HRK 7.4210, RUB 74.4208, TRY 6.1247, AUD 1.6072, \
        BRL 4.2682, CAD 1.5128, CNY 7.5857, HKD 8.8743, IDR 15999.40, ILS 4.0875, INR 79.4320, KRW 1275.05, \
        MXN 21.7999, MYR 4.6289, NZD 1.6679, PHP 59.083, SGD 1.5349, THB 36.012, ZAR 16.0583
        """

    @Test func `every currency of the demo is there, at its rate`() throws {
        let table = Self.rates.split(separator: ", ").map { $0.split(separator: " ") }
        #expect(Currency.all.count == 33)
        #expect(Currency.all.map(\.code) == table.map { String($0[0]) }.sorted())
        for row in table {
            let expected = try #require(Decimal(string: String(row[1])))
            let found = try currency(String(row[0]))
            #expect(Decimal(found.hundredThousandthsPerEuro) / 100_000 == expected, "\(found.code)")
        }
    }

    @Test func `codes are exact`() {
        #expect(Currency(code: "usd") == nil)
        #expect(Currency(code: "") == nil)
        #expect(Currency(code: "XYZ") == nil)
    }

    /// 57.08 USD are 57,080,000,000 nanos. In euros: 57,080,000,000 × 100,000 ÷ 113,050.
    /// 113,050 × 50,490,933,215 = 5,707,999,999,955,750. The rest to 5,708,000,000,000,000 is 44,250. That is less than
    /// half of 113,050, so the quotient stands: 50.490933215 EUR.
    @Test func `the Red Flashlight costs 50 euros and 490933215 nanos`() throws {
        #expect(
            try usd(57, 80_000_000).converted(to: currency("EUR"))
                == Money(currencyCode: "EUR", units: 50, nanos: 490_933_215))
    }

    /// 57,080,000,000 × 12,640,000 ÷ 113,050: 113,050 × 6,382,053,958,425 = 721,491,199,999,946,250. The rest to
    /// 721,491,200,000,000,000 is 53,750, less than half of 113,050: 6382.053958425 JPY. By way of a rounded euro it
    /// would be 50.490933215 × 126.40 = 6382.053958376.
    @Test func `the euro in the middle is not rounded`() throws {
        #expect(
            try usd(57, 80_000_000).converted(to: currency("JPY"))
                == Money(currencyCode: "JPY", units: 6382, nanos: 53_958_425))
    }

    @Test func `converting to the same currency changes nothing`() throws {
        for target in Currency.all {
            let amount = Money(currencyCode: target.code, units: 1_234_567, nanos: 890_123_457)
            #expect(try amount.converted(to: target) == amount)
        }
    }

    @Test func `half a nano is rounded away from zero`() throws {
        // One nano of a rupiah, 1 ÷ 15,999.40, is nothing; 8,000 of them are 0.50002 nanos of a euro, so one.
        let euro = try currency("EUR")
        #expect(try Money(currencyCode: "IDR", units: 0, nanos: 7_999).converted(to: euro).nanos == 0)
        #expect(try Money(currencyCode: "IDR", units: 0, nanos: 8_000).converted(to: euro).nanos == 1)
        #expect(try Money(currencyCode: "IDR", units: 0, nanos: -8_000).converted(to: euro).nanos == -1)
    }

    @Test func `a conversion is within half a nano of decimal arithmetic`() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<500 {
            let source = try #require(Currency.all.randomElement(using: &generator))
            let target = try #require(Currency.all.randomElement(using: &generator))
            let amount = Money(
                currencyCode: source.code, units: .random(in: -100_000...100_000, using: &generator),
                nanos: .random(in: 0...999_999_999, using: &generator),
            )
            let converted = try amount.converted(to: target)
            // target × source rate and amount × target rate, both exact in decimal: no division.
            let left = decimal(converted) * Decimal(source.hundredThousandthsPerEuro)
            let right = decimal(amount) * Decimal(target.hundredThousandthsPerEuro)
            let halfNano = Decimal(source.hundredThousandthsPerEuro) / 2_000_000_000
            #expect(abs(left - right) <= halfNano, "\(amount) to \(target.code)")
        }
    }

    @Test func `an amount in an unknown currency is not converted`() {
        #expect(throws: MoneyError.unknownCurrency("XYZ")) {
            try Money(currencyCode: "XYZ", units: 1).converted(to: .usDollar)
        }
    }
}
