/// The cellular technology, with the values of the semantic conventions' `network.connection.subtype`.
public enum RadioTechnology: String, Codable, Hashable, Sendable, CaseIterable {
    case gprs, edge, umts, cdma
    case evdo0 = "evdo_0"
    case evdoA = "evdo_a"
    case evdoB = "evdo_b"
    case cdma1x = "cdma2000_1xrtt"
    case hsdpa, hsupa, hspa, hspap, iden, ehrpd, gsm
    case tdSCDMA = "td_scdma"
    case iwlan, lte
    case lteAdvanced = "lte_ca"
    case nr
    case nrNonStandalone = "nrnsa"

    /// Maps a `CTRadioAccessTechnology…` constant of CoreTelephony; `nil` if it is unknown.
    package init?(coreTelephony name: String) {
        let prefix = "CTRadioAccessTechnology"
        guard name.hasPrefix(prefix), let known = Self.coreTelephony[String(name.dropFirst(prefix.count))] else {
            return nil
        }
        self = known
    }

    private static let coreTelephony: [String: RadioTechnology] = [
        "GPRS": .gprs, "Edge": .edge, "WCDMA": .umts, "HSDPA": .hsdpa, "HSUPA": .hsupa, "CDMA1x": .cdma1x,
        "CDMAEVDORev0": .evdo0, "CDMAEVDORevA": .evdoA, "CDMAEVDORevB": .evdoB, "eHRPD": .ehrpd, "LTE": .lte,
        "NRNSA": .nrNonStandalone, "NR": .nr,
    ]
}
