/// The SQL statements of a shadow table.
///
/// It is the pattern that apps write by hand. A thread copies rows from `reading` to `reading2` in
/// batches. An app reads a row that was not copied yet from `reading`, and copies it before it
/// changes it. At the end `reading2` replaces `reading`.
enum ShadowText {
  private static let columns = """
    id INTEGER PRIMARY KEY, sensor TEXT NOT NULL, number INTEGER NOT NULL, raw REAL NOT NULL,
    taken REAL NOT NULL, isValid INTEGER NOT NULL, note TEXT NOT NULL
    """
  private static let converted = """
    id, sensor, number, raw * \(Derived.factor), taken, isValid, note, sensor || ' #' || number
    """

  static let create = "CREATE TABLE reading (\(columns));"
  static let insert = "INSERT INTO reading VALUES (?, ?, ?, ?, ?, ?, ?)"
  static let readPlain = "SELECT raw FROM reading WHERE id = ?"

  static let createShadow = """
    CREATE TABLE IF NOT EXISTS reading2 (
      id INTEGER PRIMARY KEY, sensor TEXT NOT NULL, number INTEGER NOT NULL,
      calibrated REAL NOT NULL, taken REAL NOT NULL, isValid INTEGER NOT NULL, note TEXT NOT NULL,
      label TEXT NOT NULL);
    """
  static let fill = "INSERT INTO reading2 SELECT \(converted) FROM reading;"
  static let swap = """
    DROP TABLE reading;
    ALTER TABLE reading2 RENAME TO reading;
    """

  static let batchSize = 500
  /// Copies the readings after an ID, as many as a batch has.
  static let batch = """
    INSERT OR IGNORE INTO reading2 SELECT \(converted) FROM reading WHERE id > ? ORDER BY id
      LIMIT \(batchSize)
    """
  static let lastOfBatch = """
    SELECT max(id) FROM (SELECT id FROM reading WHERE id > ? ORDER BY id LIMIT \(batchSize))
    """
  static let last = "SELECT max(id) FROM reading"

  static let read = "SELECT calibrated FROM reading WHERE id = ?"
  static let scan = "SELECT sensor, number, label FROM reading"
  static let change = "UPDATE reading SET number = number + 1 WHERE id = ?"

  static let readMoving = """
    SELECT calibrated FROM reading2 WHERE id = ?1
      UNION ALL SELECT raw * \(Derived.factor) FROM reading WHERE id = ?1 LIMIT 1
    """
  static let scanMoving = """
    SELECT sensor, number, label FROM reading2
      UNION ALL SELECT sensor, number, sensor || ' #' || number FROM reading
        WHERE NOT EXISTS (SELECT 1 FROM reading2 WHERE reading2.id = reading.id)
    """
  static let copyOne =
    "INSERT OR IGNORE INTO reading2 SELECT \(converted) FROM reading WHERE id = ?"
  static let changeMoving = "UPDATE reading2 SET number = number + 1 WHERE id = ?"

  static let isMoving = "SELECT count(*) FROM sqlite_schema WHERE name = 'reading2'"
  static let isConverted = "SELECT count(*) FROM pragma_table_info('reading') WHERE name = 'label'"
}
