/// The SQL statements of the SQLite and GRDB engines.
enum SQLText {
  /// The settings of a connection: commits are as durable as LMDB's, and pages are mapped.
  static let settings = """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA mmap_size = 2147418112;
    PRAGMA cache_size = -65536;
    """

  private static let columns = """
    id INTEGER PRIMARY KEY, firstName TEXT NOT NULL, lastName TEXT NOT NULL,
    email TEXT NOT NULL, age INTEGER NOT NULL, score REAL NOT NULL, created REAL NOT NULL,
    isActive INTEGER NOT NULL, avatar BLOB NOT NULL
    """
  static let createPersons = "CREATE TABLE person (\(columns));"
  static let createOwners = """
    CREATE TABLE owner (\(columns));
    CREATE INDEX ownerEmail ON owner (email);
    CREATE TABLE dog (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL,
      owner INTEGER REFERENCES owner (id) ON DELETE SET NULL);
    CREATE INDEX dogOwner ON dog (owner);
    """

  static let insertPerson = "INSERT INTO person VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
  static let insertOwner = "INSERT INTO owner VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
  static let insertDog = "INSERT INTO dog VALUES (?, ?, ?)"

  static let scan = "SELECT firstName, age, score FROM person"
  static let lookup = "SELECT firstName, age, score FROM person WHERE id = ?"
  static let filter = "SELECT id FROM person WHERE age > ? AND score < ?"
  static let sum = "SELECT sum(score) FROM person"
  static let sort = "SELECT id FROM person ORDER BY email"
  static let find = "SELECT age FROM owner WHERE email = ?"
  /// The query goes through the dogs in ID order, as all engines do.
  static let follow = """
    SELECT owner.firstName FROM dog JOIN owner ON owner.id = dog.owner ORDER BY dog.id
    """
  static let update = "UPDATE person SET age = age + 1"

  static let updateThree = """
    UPDATE person SET age = age + 1, score = score + 1, isActive = 1 - isActive;
    """
  static let setAge = "UPDATE person SET age = ? WHERE id = ?"
  static let changes = "SELECT changes()"
  static let countPersons = "SELECT count(*) FROM person"

  static let createEmailIndex = "CREATE INDEX personEmail ON person (email);"
  static let createIndexes = "CREATE INDEX personAge ON person (age); " + createEmailIndex
  static let upsertPerson = """
    \(insertPerson) ON CONFLICT (id) DO UPDATE SET
      firstName = excluded.firstName, lastName = excluded.lastName, email = excluded.email,
      age = excluded.age, score = excluded.score, created = excluded.created,
      isActive = excluded.isActive, avatar = excluded.avatar
    """

  static func deletePersons(below age: Int) -> String {
    "DELETE FROM person WHERE age < \(age);"
  }

  static func deleteOwners(_ count: Int) -> String { "DELETE FROM owner WHERE id < \(count);" }

  static let countDogsWithoutOwner = "SELECT count(*) FROM dog WHERE owner IS NULL"

  /// A list of all persons. Each entry has the way back from its person.
  static let fillList = """
    CREATE TABLE member (
      position INTEGER PRIMARY KEY, person INTEGER REFERENCES person (id) ON DELETE CASCADE);
    CREATE INDEX memberPerson ON member (person);
    INSERT INTO member (person) SELECT id FROM person ORDER BY id;
    """
  static let countMembers = "SELECT count(*) FROM member"

  static let createVersion2 = """
    CREATE TABLE person2 (
      id INTEGER PRIMARY KEY, firstName TEXT NOT NULL, lastName TEXT NOT NULL,
      mail TEXT NOT NULL, age TEXT NOT NULL, score REAL NOT NULL, created REAL NOT NULL,
      isActive INTEGER NOT NULL, avatar BLOB NOT NULL, fullName TEXT NOT NULL);
    """
  static let fillVersion2 = """
    INSERT INTO person2
      SELECT id, firstName, lastName, email, CAST(age AS TEXT), age / 2.0, created, isActive,
        avatar, firstName || ' ' || lastName
      FROM person;
    """
  static let insertVersion2 = "INSERT INTO person2 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
  static let replaceByVersion2 = """
    DROP TABLE person;
    ALTER TABLE person2 RENAME TO person;
    """

  static func statement(for change: PropertyChange) -> String {
    switch change {
    case .add: "ALTER TABLE person ADD COLUMN nickname TEXT NOT NULL DEFAULT ''"
    case .remove: "ALTER TABLE person DROP COLUMN email"
    case .rename: "ALTER TABLE person RENAME COLUMN email TO mail"
    }
  }
}
