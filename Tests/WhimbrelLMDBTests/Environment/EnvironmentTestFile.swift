import Foundation

@testable import WhimbrelLMDB

/// A file of the layer under test, in a folder of its own.
final class EnvironmentTestFile {
  static let numbers = TableName("numbers", keys: .integers)
  static let words = TableName("words", keys: .bytes)

  private let folder: StructureTestFolder
  private var leases: [EnvironmentLease] = []
  let path: String

  /// Makes a file with two tables, `numbers` and `words`.
  init(name: String = "data.mdb", mapSize: Int = Environment.defaultMapSize) throws {
    folder = try StructureTestFolder()
    path = folder.file(name)
    try Environment.create(path: path, options: Self.options(mapSize)) { environment in
      _ = try environment.createTables([Self.numbers, Self.words])
    }
  }

  /// Makes such a file with small pages. By default they are as large as those of memory.
  init(pageSize: Int) throws {
    folder = try StructureTestFolder()
    path = folder.file("data.mdb")
    let pages = Self.emptyMetaPage(0, pageSize) + Self.emptyMetaPage(1, pageSize)
    try Data(pages).write(to: URL(filePath: path))
    try Environment.temporarily(path: path, options: Self.options()) { environment in
      _ = try environment.createTables([Self.numbers, Self.words])
    }
  }

  /// A meta page as LMDB writes it into a new file.
  private static func emptyMetaPage(_ number: UInt64, _ size: Int) -> [UInt8] {
    var words = [UInt64](repeating: 0, count: size / 8)
    let (metaFlag, integerKeys, noPage) = (UInt64(0x08), UInt64(0x08), UInt64.max)
    (words[0], words[1]) = (number, metaFlag << 16)
    words[2] = 0xBEEF_C0DE | 1 << 32
    words[4] = UInt64(Environment.defaultMapSize)
    // The free list with the size of pages, and the main table. Neither has a root.
    (words[5], words[10], words[16]) = (UInt64(size) | integerKeys << 32, noPage, noPage)
    // The last page.
    words[17] = 1
    var page: [UInt8] = []
    for word in words { page.append(littleEndian: word) }
    return page
  }

  /// The time at which the file was last written.
  var lastChange: Date? {
    get throws {
      try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
  }

  func sibling(_ name: String) -> String { folder.file(name) }

  static func options(_ mapSize: Int = Environment.defaultMapSize) -> Environment.Options {
    var options = Environment.Options()
    options.mapSize = mapSize
    return options
  }

  /// The open environment; the file keeps its lease.
  func environment(mapSize: Int = Environment.defaultMapSize) throws -> Environment {
    let lease = try open(mapSize: mapSize)
    leases.append(lease)
    return lease.environment
  }

  func open(mapSize: Int = Environment.defaultMapSize) throws -> EnvironmentLease {
    try Environment.open(path: path, options: Self.options(mapSize))
  }
}

extension Environment {
  /// The table `numbers`.
  var numbers: Table {
    get throws { try table(EnvironmentTestFile.numbers) }
  }

  /// The table `words`.
  var words: Table {
    get throws { try table(EnvironmentTestFile.words) }
  }

  func table(_ name: TableName) throws -> Table {
    guard let table = try openTables([name])[name.name] else {
      throw LMDBError(code: .notFound, function: name.name)
    }
    return table
  }

  /// Fills `numbers` with values of a number of bytes, each full of its mark.
  func fill(_ range: Range<Int>, bytes: Int = 100, mark: UInt8) throws {
    let table = try numbers
    let value = [UInt8](repeating: mark, count: bytes)
    try write { view throws(LMDBError) in
      for key in range {
        try PageBytes.with(value) { value throws(LMDBError) in
          _ = try view.put(table, UInt64(key), value)
        }
      }
    }
  }

  /// The marks that the entries of `numbers` have, and how many entries there are.
  func marks() throws -> (marks: Set<UInt8>, count: Int) {
    let table = try numbers
    return try read { view throws(LMDBError) in try view.marks(table) }
  }
}

extension ReadView {
  /// The bytes that the values of a table are made of, and how many there are.
  func marks(_ table: Table) throws(LMDBError) -> (marks: Set<UInt8>, count: Int) {
    let cursor = try cursor(table)
    var (marks, count) = (Set<UInt8>(), 0)
    var isInside = try cursor.move(to: .first)
    while isInside {
      marks.formUnion(cursor.value.array)
      count += 1
      isInside = try cursor.move(to: .next)
    }
    return (marks, count)
  }
}

/// Runs on a thread of its own, as a writer must, and gives what `body` gives.
func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Swift.Result { try body() })
    }
  }
}
