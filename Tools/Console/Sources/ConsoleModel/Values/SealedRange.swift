/// A range of records that was written to a file of columns. The file is of this store if its checksum is the same.
///
/// The store keeps the list of ranges, in the transactions that remove the records. So a file of another store, of an
/// older copy of this one or of removed records is never taken for one of this store.
package struct SealedRange: Sendable, Hashable {
    /// The dataset of the records: `spans`, `events`, `metrics` or `sessions`.
    package var dataset: String
    /// All records of the dataset with these sequence numbers. The number of a session is that of its first record.
    package var sequence: ClosedRange<Int64>
    package var rowCount: Int
    /// The version of the code that makes columns from records. A file of another version is made again.
    package var version: Int
    package var checksum: UInt64
    /// The state of rows that may change; 0 for records, which do not.
    package var stamp: Int64

    package init(
        dataset: String, sequence: ClosedRange<Int64>, rowCount: Int, version: Int, checksum: UInt64, stamp: Int64,
    ) {
        self.dataset = dataset
        self.sequence = sequence
        self.rowCount = rowCount
        self.version = version
        self.checksum = checksum
        self.stamp = stamp
    }
}
