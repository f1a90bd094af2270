import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

/// Tables whose entries have checksums.
@Suite struct GuardedTableTests {
  private static let name = TableName("guarded", keys: .bytes, guarding: .entries(salt: 0))
  private static let count = 400

  private static func key(_ number: Int) -> [UInt8] { Array("key \(20_000 + number * 10)".utf8) }

  private static func value(_ number: Int) -> [UInt8] {
    number % 3 == 0 ? [] : [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number % 9)
  }

  private static func makeFile() throws -> EnvironmentTestFile {
    let file = try EnvironmentTestFile()
    let lease = try file.open()
    let table = try #require(try lease.environment.createTables([name])[name.name])
    try lease.environment.write { view throws(LMDBError) in
      for number in 0..<count { try view.put(table, key(number), value(number)) }
    }
    return file
  }

  @Test func `what is read is what was put`() throws {
    let file = try Self.makeFile()
    let environment = try file.environment()
    let table = try environment.table(Self.name)
    func check(_ view: ReadView) throws {
      for number in 0..<Self.count {
        #expect(try view.value(table, Self.key(number))?.array == Self.value(number))
      }
      #expect(try view.value(table, Array("key".utf8)) == nil)
      var found: [[UInt8]] = []
      try view.cursor(table).forEachEntry { key, value in found.append(key.array + value.array) }
      #expect(found == (0..<Self.count).map { Self.key($0) + Self.value($0) })
      let cursor = try view.cursor(table)
      #expect(try cursor.seek(atLeast: Array("key 20001".utf8)))
      #expect(cursor.key.array == Self.key(1))
      #expect(cursor.value.array == Self.value(1))
      #expect(try cursor.move(to: .previous))
      #expect(cursor.key.array == Self.key(0))
      #expect(try !cursor.seek(atLeast: Array("kez".utf8)))
    }
    let reading = try ReadTransaction(environment)
    try check(reading.view)
    _ = consume reading
    let transaction = try WriteTransaction(environment)
    try check(transaction.view.reading)
    let key = Self.key(7)
    let isNew = try PageBytes.with(key) { key throws(LMDBError) in
      try transaction.view.put(table, key, .empty, .ifAbsent)
    }
    #expect(!isNew)
    try transaction.view.put(table, key, [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(try transaction.view.reading.value(table, key)?.array == [1, 2, 3, 4, 5, 6, 7, 8])
    try transaction.view.put(table, key, Self.value(7))
    try check(transaction.view.reading)
    transaction.abort()
  }

  @Test(.takesLong, arguments: [false, true])
  func `a changed bit is an error, or changes nothing`(isWriting: Bool) throws {
    let file = try Self.makeFile()
    let original = try Data(contentsOf: URL(filePath: file.path))
    var random = SeededGenerator(seed: isWriting ? 2 : 1)
    var errors = 0
    let mark = Data("key 2".utf8)
    for _ in 0..<150 {
      // A bit of an entry: near one of the keys.
      var bytes = original
      let begin = Int.random(in: 2 * 4_096..<bytes.count - 100, using: &random)
      guard let found = bytes.range(of: mark, in: begin..<bytes.count) else { continue }
      // Every third time the key's last digit becomes less: the key stays between its neighbors.
      let isLess = Int.random(in: 0..<3, using: &random) == 0
      let place = found.lowerBound + (isLess ? 8 : Int.random(in: -8..<20, using: &random))
      guard place < bytes.count else { continue }
      bytes[place] ^= isLess ? 1 << 4 : 1 << UInt8.random(in: 0..<8, using: &random)
      let path = file.sibling("damaged \(errors) \(place)")
      try bytes.write(to: URL(filePath: path))
      let lease = try Environment.open(path: path, options: EnvironmentTestFile.options())
      let table = try lease.environment.table(Self.name)
      if isWriting {
        // LMDB does not check pages: only damage within entries may get here.
        guard
          (try? FileStructure.inspect(path: path).checkPages()) != nil,
          let transaction = try? WriteTransaction(lease.environment)
        else { continue }
        errors += Self.errors(transaction.view.reading, table)
        transaction.abort()
      } else {
        let reading = try ReadTransaction(lease.environment)
        errors += Self.errors(reading.view, table)
        _ = consume reading
      }
    }
    #expect(errors > 20)
  }

  /// The pages were verified before, and a look-up verifies only what is beside the entry.
  @Test func `damage under an open file is an error of a look-up, or changes nothing`() throws {
    let file = try Self.makeFile()
    let environment = try file.environment()
    let table = try environment.table(Self.name)
    let bytes = Array(try Data(contentsOf: URL(filePath: file.path)))
    let pageSize = try environment.information().pageSize
    let descriptor = unsafe open(file.path, O_RDWR)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    func put(_ part: [UInt8], at offset: Int) {
      _ = unsafe part.withUnsafeBytes {
        unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset))
      }
    }
    func number(at offset: Int) -> Int { Int(bytes[offset]) + Int(bytes[offset + 1]) << 8 }
    // LMDB: a page has flags at 10, the end of its offsets at 12, and the offsets from 16 on.
    let mark = Array("key 2".utf8)
    let leaves = stride(from: 2 * pageSize, to: bytes.count, by: pageSize).filter { page in
      number(at: page + 10) == 2
        && Data(bytes[page..<page + pageSize]).range(of: Data(mark)) != nil
    }
    try #require(leaves.count > 1)
    let reading = try ReadTransaction(environment)
    #expect(Self.lookupErrors(reading.view, table) == 0)
    var random = SeededGenerator(seed: 3)
    var tally = [0, 0, 0]
    for _ in 0..<(TestRun.isLong ? 6_000 : 300) {
      let page = leaves.randomElement(using: &random) ?? 0
      let end = number(at: page + 12)
      func anyOffset() -> Int {
        page + 16 + 2 * Int.random(in: 0..<(end - 16) / 2, using: &random)
      }
      let kind = Int.random(in: 0..<3, using: &random)
      let place: Int
      let part: [UInt8]
      switch kind {
      case 0:
        // The offset of one entry is that of another.
        place = anyOffset()
        let other = anyOffset()
        part = Array(bytes[other..<other + 2])
      case 1:
        place = anyOffset() + Int.random(in: 0..<2, using: &random)
        part = [bytes[place] ^ 1 << UInt8.random(in: 0..<8, using: &random)]
      default:
        place = Int.random(in: page + number(at: page + 14)..<page + pageSize, using: &random)
        part = [bytes[place] ^ 1 << UInt8.random(in: 0..<8, using: &random)]
      }
      put(part, at: place)
      if Self.lookupErrors(reading.view, table) > 0 { tally[kind] += 1 }
      put(Array(bytes[place..<place + part.count]), at: place)
    }
    #expect(tally.allSatisfy { $0 > 50 }, "\(tally)")
    withExtendedLifetime(file) {}
  }

  /// Looks up every key in two ways, and counts the errors. What is no error is right.
  private static func lookupErrors(_ view: ReadView, _ table: Table) -> Int {
    var errors = 0
    for number in 0..<count {
      for bound in [key(number), Array("key \(20_000 + number * 10 - 5)".utf8)] {
        do throws(LMDBError) {
          let cursor = try view.cursor(table)
          let isFound = try PageBytes.with(bound) { bound throws(LMDBError) in
            try cursor.seek(atLeast: bound, isLookup: true)
          }
          #expect(isFound && cursor.key.array == key(number), "\(number)")
          #expect(cursor.value.array == value(number))
        } catch {
          errors += 1
        }
      }
    }
    return errors
  }

  /// Reads every key in several ways, and counts the errors. What is no error is right.
  private static func errors(_ view: ReadView, _ table: Table) -> Int {
    var errors = 0
    func attempt(_ body: () throws -> Void) { do { try body() } catch { errors += 1 } }
    for number in 0..<count {
      attempt {
        let found = try view.value(table, key(number))
        #expect(found?.array == value(number), "\(number)")
      }
      for bound in [key(number), Array("key \(20_000 + number * 10 - 5)".utf8)] {
        attempt {
          let cursor = try view.cursor(table)
          let isFound = try cursor.seek(atLeast: bound)
          #expect(isFound && cursor.key.array == key(number), "\(number)")
          #expect(cursor.value.array == value(number))
        }
      }
      attempt {
        let found = try view.value(table, key(number) + [48])
        #expect(found == nil)
      }
    }
    attempt {
      var found: [[UInt8]] = []
      try view.cursor(table).forEachEntry { key, value in found.append(key.array + value.array) }
      #expect(found == (0..<count).map { key($0) + value($0) })
    }
    return errors
  }

  /// A put by LMDB alone took a damaged key for another one, and put a duplicate beside it.
  @Test(arguments: [0x10, 0x40] as [UInt8])
  func `a key that is there and damaged is not put a second time`(bit: UInt8) throws {
    let file = try Self.makeFile()
    let environment = try file.environment()
    defer { withExtendedLifetime(file) {} }
    let table = try environment.table(Self.name)
    let transaction = try WriteTransaction(environment)
    let view = transaction.view
    func putIfAbsent(_ key: [UInt8]) throws(LMDBError) -> Bool {
      try PageBytes.with(key) { key throws(LMDBError) in
        try view.put(table, key, .empty, .ifAbsent)
      }
    }
    for number in 0..<Self.count {
      let key = Self.key(number)
      // It stays between its neighbors: one bit makes it less, the other greater.
      var damaged = key
      damaged[damaged.count - 1] ^= bit
      let stored = try #require(try view.reading.value(table.unchecked, key)?.array)
      try PageBytes.with(key) { key throws(LMDBError) in _ = try view.remove(table, key) }
      try view.put(table.unchecked, damaged, stored)
      #expect(throws: LMDBError.self, "\(number)") { try putIfAbsent(key) }
      try PageBytes.with(damaged) { key throws(LMDBError) in
        _ = try view.remove(table.unchecked, key)
      }
      #expect(try putIfAbsent(key), "\(number)")
      #expect(try !putIfAbsent(key), "\(number)")
    }
    transaction.abort()
  }

  @Test func `an entry of another table is damaged`() throws {
    let file = try Self.makeFile()
    let environment = try file.environment()
    let other = TableName("other", keys: .bytes, guarding: .entries(salt: 0))
    let tables = try environment.createTables([Self.name, other])
    let (one, two) = (try #require(tables[Self.name.name]), try #require(tables["other"]))
    try environment.write { view throws(LMDBError) in
      // As another table's page would have it.
      guard let stored = try view.reading.value(one.unchecked, Self.key(1)) else { return }
      try view.put(two.unchecked, Self.key(1), stored.array)
    }
    #expect(
      try environment.read { view throws(LMDBError) in
        try view.value(one, Self.key(1))?.array
      } == Self.value(1))
    #expect(throws: LMDBError.self) {
      try environment.read { view throws(LMDBError) in _ = try view.value(two, Self.key(1)) }
    }
  }
}

/// Tables of one name in different files.
@Suite struct TableSaltTests {
  private static func makeFile(salt: UInt64) throws -> (EnvironmentTestFile, Table, Environment) {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let name = TableName("salted", keys: .bytes, guarding: .entries(salt: salt))
    return (file, try #require(try environment.createTables([name])["salted"]), environment)
  }

  @Test(arguments: [(0, 1), (1, 2), (7, 0)] as [(UInt64, UInt64)])
  func `an entry of the same table in a file with another salt is damaged`(
    salt: UInt64, other: UInt64
  ) throws {
    let (first, source, writer) = try Self.makeFile(salt: salt)
    let (second, target, environment) = try Self.makeFile(salt: other)
    defer { withExtendedLifetime((first, second)) {} }
    var stored: [UInt8] = []
    try writer.write { view throws(LMDBError) in
      try view.put(source, [1, 2], [3, 4, 5])
      stored = try view.reading.value(source.unchecked, [1, 2])?.array ?? []
      #expect(try view.reading.value(source, [1, 2])?.array == [3, 4, 5])
    }
    let content = stored
    try environment.write { view throws(LMDBError) in
      _ = try view.put(target.unchecked, [1, 2], content)
    }
    #expect(throws: LMDBError.self) {
      try environment.read { view throws(LMDBError) in _ = try view.value(target, [1, 2]) }
    }
  }
}

/// Tables whose numbers of entries are kept a second time.
@Suite struct TableCountTests {
  private static let name = TableName("counted", keys: .integers, guarding: .count)

  private static func makeFile() throws -> (EnvironmentTestFile, Environment, Table) {
    let file = try EnvironmentTestFile()
    let environment = try file.environment()
    let table = try #require(try environment.createTables([name])[name.name])
    try environment.write { view throws(LMDBError) in
      for number in 0..<30 { try view.put(table, UInt64(number), .empty) }
    }
    return (file, environment, table)
  }

  private static func count(_ table: Table, _ environment: Environment) throws -> Int {
    try environment.read { view throws(LMDBError) in try view.count(table) }
  }

  @Test func `a number of entries that was changed is an error, for who counts and who writes`()
    throws
  {
    let (file, environment, table) = try Self.makeFile()
    defer { withExtendedLifetime(file) {} }
    for kept in [CheckedNumber.encode(29, of: "counted"), Array(repeating: 1, count: 12), []] {
      try environment.write { view throws(LMDBError) in
        try view.put(.main, TableCount.key(of: "counted"), kept)
      }
      #expect(throws: LMDBError.self) { try Self.count(table, environment) }
      #expect(throws: LMDBError.self) {
        try environment.write { view throws(LMDBError) in try view.remove(table, 3) }
      }
      #expect(
        try environment.read { view throws(LMDBError) in try view.value(table, 3) != nil })
    }
    try environment.write { view throws(LMDBError) in
      try view.put(
        .main, TableCount.key(of: "counted"), CheckedNumber.encode(30, of: "counted"))
    }
    #expect(try Self.count(table, environment) == 30)
  }

  @Test func `every way of writing keeps the number`() throws {
    let (file, environment, table) = try Self.makeFile()
    defer { withExtendedLifetime(file) {} }
    func expect(_ count: Int) throws {
      #expect(try Self.count(table, environment) == count)
      let kept = try environment.read { view throws(LMDBError) in
        try view.value(.main, TableCount.key(of: "counted")).flatMap {
          CheckedNumber.decode($0, of: "counted")
        }
      }
      #expect(kept == UInt64(count))
    }
    try expect(30)
    _ = try environment.write { view throws(LMDBError) in try view.remove(table, 3) }
    try expect(29)
    try environment.write { view throws(LMDBError) in
      try view.reading.cursor(table).append(100, .empty)
    }
    try expect(30)
    _ = try environment.write { view throws(LMDBError) in try view.put(table, 100, .empty) }
    try expect(30)
    let transaction = try WriteTransaction(environment)
    try transaction.view.empty(table)
    transaction.abort()
    try expect(30)
    try environment.write { view throws(LMDBError) in try view.empty(table) }
    try expect(0)
    #expect(try environment.dropTables([Self.name]))
    let isCounted = try environment.read { view throws(LMDBError) in
      try view.value(.main, TableCount.key(of: "counted")) != nil
    }
    #expect(!isCounted)
  }

  @Test func `a table of a file without such numbers is counted as it says`() throws {
    let (file, environment, table) = try Self.makeFile()
    defer { withExtendedLifetime(file) {} }
    _ = try environment.write { view throws(LMDBError) in
      try view.remove(.main, TableCount.key(of: "counted"))
    }
    #expect(try Self.count(table, environment) == 30)
    _ = try environment.write { view throws(LMDBError) in try view.put(table, 1_000, .empty) }
    #expect(try Self.count(table, environment) == 31)
  }
}
