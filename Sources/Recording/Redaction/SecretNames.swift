/// The names of things that are secret by their nature, looked for without allocating.
///
/// A name is compared without case and without `_` and `-`. The built-in ones are looked for at the end of a key, so
/// that `user.accessToken`, `x-auth-token` and `creditCardCvv` are all found; a name of the user's must be the whole of
/// a key's last part.
final class SecretNames: Sendable {
    private static let builtIn = [
        "authorization", "cookie", "password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey",
        "privatekey", "honeycombteam", "cvv", "cvv2", "cvc", "cvc2", "securitycode", "cardnumber", "card.number",
        "iban",
        "email", "emailaddress",
    ]

    private struct Name: Sendable {
        /// Where its letters begin in `reversed`.
        let start: Int
        let count: Int
        /// It must be the whole of a key's last part.
        let isWhole: Bool
    }

    /// The letters of all names one after the other, in lower case and from the last to the first.
    private let reversed: [UInt8]
    private let names: [Name]
    /// Bits for the last two letters of every name, and for the two before the last: together they tell most keys apart
    /// from all names at one look.
    private let lastPairs: UInt64
    private let innerPairs: UInt64

    init(additional: Set<String>) {
        var reversed: [UInt8] = []
        var names: [Name] = []
        var lastPairs: UInt64 = 0
        var innerPairs: UInt64 = 0
        func add(_ name: Substring, isWhole: Bool) {
            let letters = Array(name.lowercased().utf8.filter { !Self.isIgnored($0) }.reversed())
            guard !letters.isEmpty else { return }
            names.append(Name(start: reversed.count, count: letters.count, isWhole: isWhole))
            reversed += letters
            // A name too short for a pair may end a key of any.
            lastPairs |= letters.count > 1 ? Self.bit(letters[1], letters[0]) : .max
            innerPairs |= letters.count > 2 ? Self.bit(letters[2], letters[1]) : .max
        }
        for name in Self.builtIn { add(name[...], isWhole: false) }
        for name in additional.sorted() { add(name.split(separator: ".").last ?? "", isWhole: true) }
        self.reversed = reversed
        self.names = names
        self.lastPairs = lastPairs
        self.innerPairs = innerPairs
    }

    /// Whether a key, or a name in a text, is that of a secret.
    @inline(__always)
    func isSecret(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = key.count
        guard count > 2 else { return count > 0 && isListed(key) }
        let (third, second, last) = (key[count &- 3], key[count &- 2], key[count &- 1])
        if lastPairs & Self.bit(second, last) == 0 || innerPairs & Self.bit(third, second) == 0 {
            let mayHideLetters = Self.isIgnored(third) || Self.isIgnored(second) || Self.isIgnored(last)
            if !mayHideLetters { return false }
        }
        return isListed(key)
    }

    private func isListed(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        var beforeLast = key.count
        let last = Self.step(back: &beforeLast, in: key)
        return reversed.withUnsafeBufferPointer { letters in
            names.withUnsafeBufferPointer { names in
                for name in names where letters[name.start] == last {
                    var index = beforeLast
                    var matched = 1
                    while matched < name.count, Self.step(back: &index, in: key) == letters[name.start &+ matched] {
                        matched &+= 1
                    }
                    guard matched == name.count else { continue }
                    if !name.isWhole || index == 0 || key[index - 1] == UInt8(ascii: ".") { return true }
                }
                return false
            }
        }
    }

    @inline(__always)
    private static func bit(_ first: UInt8, _ second: UInt8) -> UInt64 {
        // Setting bit 5 makes letters lower case, and leaves digits as they are.
        let sum = UInt64(first | 0x20) &* 5 &+ UInt64(second | 0x20) &* 11
        return 1 << (sum & 63)
    }

    /// The character before `index` that counts, in lower case, and where it stands; 0 at the start.
    @inline(__always)
    private static func step(back index: inout Int, in key: UnsafeBufferPointer<UInt8>) -> UInt8 {
        while index > 0 {
            index &-= 1
            let byte = key[index]
            if !isIgnored(byte) { return byte &- 0x41 < 26 ? byte | 0x20 : byte }
        }
        return 0
    }

    @inline(__always)
    private static func isIgnored(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
