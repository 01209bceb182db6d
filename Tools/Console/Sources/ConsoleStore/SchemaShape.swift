/// The tables and other objects of a database file, by its catalog.
struct SchemaShape {
    /// The columns of each table, by the table's name.
    private var columns: [String: Set<String>] = [:]
    /// The unique indexes, by which a record that was sent twice is found.
    private let uniqueIndexes: Set<String>
    /// The objects that run code when a table is read or written, such as `trigger "t"`.
    private let programs: Set<String>

    /// Reads the catalog of a database.
    init(_ queries: QueryConnection) throws {
        programs = Set(
            try queries.texts(
                """
                SELECT CASE type WHEN 'table' THEN 'virtual table' ELSE type END || ' "' || name || '"'
                FROM sqlite_master WHERE type IN ('trigger', 'view') OR sql LIKE 'CREATE VIRTUAL %'
                """))
        uniqueIndexes = Set(
            try queries.texts(
                """
                SELECT name FROM sqlite_master
                WHERE type = 'index' AND (sql IS NULL OR sql LIKE 'CREATE UNIQUE %')
                """))
        let rows = try queries.rows(
            """
            SELECT t.name, c.name FROM sqlite_master AS t, pragma_table_xinfo(t.name) AS c
            WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL %'
            """)
        for row in rows {
            guard let table = row.optionalText(0), let column = row.optionalText(1) else { continue }
            columns[table, default: []].insert(column)
        }
    }

    /// Returns the difference that keeps a console from using a file of another shape, as a clause; `nil` if there is
    /// none. More tables and indexes do no harm. A trigger could change or remove records, and a view could stand in
    /// the place of a table.
    func fault(of file: SchemaShape) -> String? {
        if let foreign = file.programs.subtracting(programs).min() {
            return "it has the \(foreign), which is not the console's"
        }
        for table in columns.keys.sorted() {
            guard let found = file.columns[table] else { return "it has no table \"\(table)\"" }
            if let missing = columns[table]?.subtracting(found).min() {
                return "its table \"\(table)\" has no column \"\(missing)\""
            }
        }
        return uniqueIndexes.subtracting(file.uniqueIndexes).min().map { "it has no unique index \"\($0)\"" }
    }
}
