import Testing

@testable import WhimbrelLMDB

/// A file that groups of writers change, and what must be in it.
struct SpilledGroup {
  /// A change of many entries.
  enum Change: Sendable {
    /// Puts so many values behind all others. Each has a page of its own.
    case append(Int)
    /// Replaces each nth value by one of so many bytes.
    case replace(each: UInt64, bytes: Int)
    /// Replaces so many of the last values by others with pages of their own.
    case replaceLast(Int)
    /// Removes each nth entry.
    case remove(each: UInt64)
    /// Removes all entries.
    case empty
  }

  /// The changes of a writer.
  struct Part: Sendable {
    let changes: [Change]
    let isKept: Bool

    init(_ changes: Change..., isKept: Bool = true) { self.init(changes, isKept: isKept) }

    init(_ changes: [Change], isKept: Bool) { (self.changes, self.isKept) = (changes, isKept) }
  }

  private let file: EnvironmentTestFile
  let environment: Environment
  private let numbers: Table
  private let pageSize: Int
  /// The number of bytes of each value, and the byte that they all are.
  private var expected: [UInt64: (count: Int, mark: UInt8)] = [:]
  private var next: UInt64 = 0
  private var mark: UInt8 = 0

  /// - Parameter limit: The memory for changed pages. By default only LMDB limits it.
  init(_ pageSize: Int, _ verifiesPaths: Bool, holding limit: Int = .max) throws {
    self.pageSize = pageSize
    file = try EnvironmentTestFile(pageSize: pageSize)
    environment = try file.environment()
    environment.writer.heldPageLimit = limit
    environment.verifiesWritePaths = verifiesPaths
    numbers = try environment.numbers
  }

  /// Writes a group, and returns which of its parts have written to the file before they ended.
  ///
  /// - Parameter codes: The errors by which a part is undone alone.
  @discardableResult
  mutating func write(
    capacity: Int = WriteGroup.capacity, _ parts: [Part], undoing codes: [LMDBError.Code] = []
  ) throws -> [Bool] {
    let state = (expected, next)
    do {
      let group = try WriteGroup(environment, capacity: capacity)
      let spilled = try parts.map { try write($0, in: group, codes) }
      try group.commit()
      return spilled
    } catch {
      (expected, next) = state
      throw error
    }
  }

  private mutating func write(
    _ part: Part, in group: WriteGroup, _ codes: [LMDBError.Code]
  ) throws -> Bool {
    let state = (expected, next)
    let lastChange = try file.lastChange
    let nested = try group.nested()
    var hasFailed = false
    do {
      for change in part.changes { try apply(change, nested.view) }
    } catch let error as LMDBError where codes.contains(error.code) {
      hasFailed = true
    }
    if part.isKept, !hasFailed {
      try nested.commit()
    } else {
      nested.abort()
      (expected, next) = state
    }
    return try file.lastChange != lastChange
  }

  private mutating func apply(_ change: Change, _ view: WriteView) throws {
    mark &+= 1
    switch change {
    case .append(let count):
      let keys = next..<next + UInt64(count)
      let cursor = try view.reading.cursor(numbers)
      try PageBytes.with(value(large, mark)) { value throws(LMDBError) in
        for key in keys { try cursor.append(key, value) }
      }
      for key in keys { expected[key] = (large, mark) }
      next = keys.upperBound
    case .replace(let step, let bytes):
      try put(keys(step), bytes, view)
    case .replaceLast(let count):
      try put(keys(1).suffix(count), large, view)
    case .remove(let step):
      for key in keys(step) {
        try view.remove(numbers, key)
        expected[key] = nil
      }
    case .empty:
      try view.empty(numbers)
      expected = [:]
    }
  }

  private mutating func put(
    _ keys: some Sequence<UInt64>, _ bytes: Int, _ view: WriteView
  ) throws {
    for key in keys {
      try PageBytes.with(value(bytes, mark)) { value throws(LMDBError) in
        _ = try view.put(numbers, key, value)
      }
      expected[key] = (bytes, mark)
    }
  }

  /// LMDB: a value of more than half a page is not on the page of its key.
  private var large: Int { pageSize * 3 / 4 }

  private func keys(_ step: UInt64) -> [UInt64] { expected.keys.filter { $0 % step == 0 }.sorted() }

  private func value(_ count: Int, _ mark: UInt8) -> [UInt8] {
    [UInt8](repeating: mark, count: count)
  }

  /// Compares the file with what must be in it, and checks all of its pages.
  func expectWhole(
    _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let (numbers, expected) = (numbers, expected)
    var values: [Int: [UInt8]] = [:]
    var (count, wrong) = (0, 0)
    try environment.read { view throws(LMDBError) in
      try view.cursor(numbers).forEachEntry { key, stored in
        count += 1
        guard let wanted = expected[key.load(UInt64.self, at: 0)] else { return wrong += 1 }
        let kind = wanted.count << 8 | Int(wanted.mark)
        if values[kind] == nil { values[kind] = value(wanted.count, wanted.mark) }
        if !stored.isEqual(to: values[kind] ?? []) { wrong += 1 }
      }
    }
    #expect(count == expected.count, comment, sourceLocation: sourceLocation)
    #expect(wrong == 0, comment, sourceLocation: sourceLocation)
    let structure = try FileStructure.inspect(path: file.path)
    #expect(try structure.checkPages().lostPages == 0, comment, sourceLocation: sourceLocation)
    try structure.checkAccounts()
    #expect(try structure.checkSeal(), comment, sourceLocation: sourceLocation)
  }
}
