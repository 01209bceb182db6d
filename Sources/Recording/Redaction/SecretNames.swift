/// The names of things that are secret by their nature, looked for without allocating.
///
/// A name is compared without case and without `_` and `-`. The built-in ones are looked for at the end of a key, so
/// that `user.accessToken`, `x-auth-token` and `creditCardCvv` are all found; a name of the user's must be the whole of
/// a key's last part.
struct SecretNames: Sendable {
    private static let builtIn = [
        "authorization", "cookie", "password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey",
        "privatekey", "honeycombteam", "cvv", "cvv2", "cvc", "cvc2", "securitycode", "cardnumber", "card.number", "iban",
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
    /// A bit for each ending of two letters that a name has: it tells most keys apart from every name at one look.
    private let endings: UInt64

    init(additional: Set<String>) {
        var reversed: [UInt8] = []
        var names: [Name] = []
        var endings: UInt64 = 0
        func add(_ name: Substring, isWhole: Bool) {
            let letters = name.lowercased().utf8.filter { !Self.isIgnored($0) }
            guard let last = letters.last else { return }
            names.append(Name(start: reversed.count, count: letters.count, isWhole: isWhole))
            reversed += letters.reversed()
            endings |= letters.count == 1 ? .max : Self.endingBit(letters[letters.count - 2], last)
        }
        for name in Self.builtIn { add(name[...], isWhole: false) }
        for name in additional.sorted() { add(name.split(separator: ".").last ?? "", isWhole: true) }
        self.reversed = reversed
        self.names = names
        self.endings = endings
    }

    /// Whether a key, or a name in a text, is that of a secret.
    @inline(__always)
    func isSecret(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        guard key.count > 1 else { return key.count == 1 && isListed(key) }
        let (secondToLast, last) = (key[key.count &- 2], key[key.count &- 1])
        let isTold = !Self.isIgnored(secondToLast) && !Self.isIgnored(last)
        if isTold, endings & Self.endingBit(secondToLast, last) == 0 { return false }
        return isListed(key)
    }

    private func isListed(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        reversed.withUnsafeBufferPointer { letters in
            names.withUnsafeBufferPointer { names in
                for name in names {
                    var index = key.count
                    var matched = 0
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
    private static func endingBit(_ secondToLast: UInt8, _ last: UInt8) -> UInt64 {
        // Setting bit 5 makes letters lower case, and leaves digits as they are.
        1 << (UInt64(secondToLast | 0x20) &* 5 &+ UInt64(last | 0x20) &* 11 & 63)
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
