extension KeyedDecodingContainer {
    /// Decodes an integer, and names its field where the number has a fraction or does not fit. `JSONDecoder` throws
    /// an error of its own for those two, which does not say where.
    func decodeWholeNumber<Number: FixedWidthInteger & Decodable>(
        _ type: Number.Type, forKey key: Key,
    ) throws -> Number {
        do {
            return try decode(type, forKey: key)
        } catch let error as DecodingError {
            throw error  // absent, null or not a number: says so, and where
        } catch {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "expected a whole number within \(type)",
            )
        }
    }
}
