/// A currency the shop sells in: its name, how amounts in it are written, and its fixed rate to the euro.
///
/// Rates and set are those of the OpenTelemetry demo; they are made up to be stable, not to be true today.
public struct Currency: Hashable, Sendable, Identifiable {
    /// The ISO 4217 code, in capitals.
    public let code: String

    /// The English name, for a list to choose from.
    public let name: String

    /// The symbol before an amount; the code itself if no common sign exists.
    public let symbol: String

    /// Decimals shown to a person, after ISO 4217: 0 for the yen, 2 for most.
    public let fractionDigits: Int

    /// The number of hundred-thousandths of this currency that one euro buys: 113,050 for 1.1305 dollars.
    public let hundredThousandthsPerEuro: UInt64

    public var id: String { code }

    /// The currency with this exact code, or nil if the shop does not sell in it.
    public init?(code: String) {
        guard let known = Self.byCode[code] else { return nil }
        self = known
    }

    private init(
        _ code: String, _ name: String, _ symbol: String, _ fractionDigits: Int, _ hundredThousandthsPerEuro: UInt64,
    ) {
        self.code = code
        self.name = name
        self.symbol = symbol
        self.fractionDigits = fractionDigits
        self.hundredThousandthsPerEuro = hundredThousandthsPerEuro
    }
}

extension Currency {
    /// The currency of the catalogue, and of answers where none is asked for.
    public static let usDollar = Currency("USD", "US dollar", "$", 2, 113_050)

    /// Every currency of the shop, by code.
    public static let all: [Currency] = [
        Currency("AUD", "Australian dollar", "A$", 2, 160_720),
        Currency("BGN", "Bulgarian lev", "BGN", 2, 195_580),
        Currency("BRL", "Brazilian real", "R$", 2, 426_820),
        Currency("CAD", "Canadian dollar", "CA$", 2, 151_280),
        Currency("CHF", "Swiss franc", "CHF", 2, 113_600),
        Currency("CNY", "Chinese yuan", "CN¥", 2, 758_570),
        Currency("CZK", "Czech koruna", "CZK", 2, 2_559_200),
        Currency("DKK", "Danish krone", "DKK", 2, 746_090),
        Currency("EUR", "Euro", "€", 2, 100_000),
        Currency("GBP", "British pound", "£", 2, 85_970),
        Currency("HKD", "Hong Kong dollar", "HK$", 2, 887_430),
        Currency("HRK", "Croatian kuna", "HRK", 2, 742_100),
        Currency("HUF", "Hungarian forint", "HUF", 2, 31_551_000),
        Currency("IDR", "Indonesian rupiah", "IDR", 2, 1_599_940_000),
        Currency("ILS", "Israeli new shekel", "₪", 2, 408_750),
        Currency("INR", "Indian rupee", "₹", 2, 7_943_200),
        Currency("ISK", "Icelandic króna", "ISK", 0, 13_680_000),
        Currency("JPY", "Japanese yen", "¥", 0, 12_640_000),
        Currency("KRW", "South Korean won", "₩", 0, 127_505_000),
        Currency("MXN", "Mexican peso", "MX$", 2, 2_179_990),
        Currency("MYR", "Malaysian ringgit", "MYR", 2, 462_890),
        Currency("NOK", "Norwegian krone", "NOK", 2, 980_400),
        Currency("NZD", "New Zealand dollar", "NZ$", 2, 166_790),
        Currency("PHP", "Philippine peso", "₱", 2, 5_908_300),
        Currency("PLN", "Polish złoty", "PLN", 2, 429_960),
        Currency("RON", "Romanian leu", "RON", 2, 474_630),
        Currency("RUB", "Russian rouble", "₽", 2, 7_442_080),
        Currency("SEK", "Swedish krona", "SEK", 2, 1_053_750),
        Currency("SGD", "Singapore dollar", "S$", 2, 153_490),
        Currency("THB", "Thai baht", "฿", 2, 3_601_200),
        Currency("TRY", "Turkish lira", "₺", 2, 612_470),
        usDollar,
        Currency("ZAR", "South African rand", "ZAR", 2, 1_605_830),
    ]

    private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })
}
