/// A country in which the shop sells.
struct Market: Sendable {
    let currency: String
    let timeZone: String
    let locales: [(String, Double)]
    let carriers: [(String, Double)]
    /// The share of people who pay in Swiss francs although they live elsewhere.
    var francs = 0.0

    static let all: [(Market, Double)] = [
        (
            Market(
                currency: "USD", timeZone: "America/New_York", locales: [("en_US", 0.9), ("es_US", 0.1)],
                carriers: [("Verizon", 0.4), ("T-Mobile", 0.35), ("AT&T", 0.25)], francs: 0.25,
            ), 0.28,
        ),
        (
            Market(
                currency: "CHF", timeZone: "Europe/Zurich",
                locales: [("de_CH", 0.6), ("fr_CH", 0.25), ("it_CH", 0.08), ("en_CH", 0.07)],
                carriers: [("Swisscom", 0.55), ("Sunrise", 0.27), ("Salt", 0.18)],
            ), 0.08,
        ),
        (
            Market(
                currency: "EUR", timeZone: "Europe/Berlin", locales: [("de_DE", 0.9), ("en_DE", 0.1)],
                carriers: [("Telekom", 0.4), ("Vodafone", 0.33), ("o2", 0.27)], francs: 0.4,
            ), 0.2,
        ),
        (
            Market(
                currency: "EUR", timeZone: "Europe/Paris", locales: [("fr_FR", 1)],
                carriers: [("Orange", 0.42), ("SFR", 0.3), ("Free", 0.28)], francs: 0.4,
            ), 0.13,
        ),
        (
            Market(
                currency: "GBP", timeZone: "Europe/London", locales: [("en_GB", 1)],
                carriers: [("EE", 0.4), ("O2", 0.35), ("Three", 0.25)], francs: 0.3,
            ), 0.13,
        ),
        (
            Market(
                currency: "JPY", timeZone: "Asia/Tokyo", locales: [("ja_JP", 1)],
                carriers: [("NTT DOCOMO", 0.42), ("au", 0.3), ("SoftBank", 0.28)],
            ), 0.1,
        ),
        (
            Market(
                currency: "CAD", timeZone: "America/Toronto", locales: [("en_CA", 0.75), ("fr_CA", 0.25)],
                carriers: [("Rogers", 0.4), ("Bell", 0.33), ("Telus", 0.27)],
            ), 0.05,
        ),
        (
            Market(
                currency: "SEK", timeZone: "Europe/Stockholm", locales: [("sv_SE", 1)],
                carriers: [("Telia", 0.5), ("Tele2", 0.3), ("Telenor", 0.2)],
            ), 0.03,
        ),
    ]
}
