import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelLMDB

/// What several cores say of the pages of a file is what one says.
@Suite struct SurveyTests {
  /// Makes a file with a tree of three levels and one of four or more, of which the branch pages
  /// have long keys, overflow pages and free pages.
  private func makeFile(at path: String, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let file = try StructureTestFile(path: path)
    try file.write { transaction in
      let numbers = try transaction.table("numbers", integers: true)
      for number in 0..<UInt64(1_500) {
        try transaction.put(
          numbers, integerKey(number * 3), random.bytes(random.chance(2) ? 9_000 : 1_500))
      }
      let words = try transaction.table("words")
      for _ in 0..<1_500 { try transaction.put(words, random.bytes(400), random.bytes(8)) }
      try transaction.put(try transaction.table("small"), [1], [2])
      _ = try transaction.table("empty")
      return true
    }
    try file.write { transaction in
      let numbers = try transaction.table("numbers", integers: true)
      for number in 0..<UInt64(200) { try transaction.delete(numbers, integerKey(number * 9)) }
      return true
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `several cores give what one core gives of a sound file`(seed: UInt64) throws {
    let folder = try StructureTestFolder()
    let path = folder.file()
    try makeFile(at: path, seed: seed)
    let structure = try FileStructure.inspect(path: path)
    let one = try structure.survey(smallestForCores: .max)
    #expect(one.faultCount == 0 && one.pages.leafPages > 1_000)
    #expect(one.pages == (try structure.checkPages()))
    var reported: UInt64 = 0
    let several = try #require(
      try structure.soundSurvey {
        reported = max(reported, $0)
        return true
      })
    #expect(several.pages == one.pages)
    #expect(several.tables == one.tables && several.tables.count == 4)
    #expect(several.damagedTables.isEmpty && several.isMainSound)
    #expect(reported > 1_000)
  }

  @Test(.takesLong) func `several cores find the damage that one core finds`() throws {
    let folder = try StructureTestFolder()
    let path = folder.file()
    try makeFile(at: path, seed: 4)
    let healthy = try Data(contentsOf: URL(filePath: path))
    let bytes = Array(healthy)
    let file = try FileHandle(forUpdating: URL(filePath: path))
    let structure = try FileStructure.inspect(path: path)
    let pageSize = structure.pageSize
    // Damage to values changes nothing here.
    let pages = (2..<bytes.count / pageSize).filter { [1, 2].contains(bytes[$0 * pageSize + 10]) }
    var (sound, damaged) = (0, 0)
    for seed: UInt64 in 0..<TestRun.count(120, long: 5_000) {
      var random = SeededGenerator(seed: seed)
      let page = pages[random.number(0..<pages.count)]
      let place = random.number(0..<(random.chance(70) ? 3 : pageSize / 8))
      let offset = page * pageSize + place * 8
      let pattern = DamagePattern.allCases[random.number(0..<DamagePattern.allCases.count)]
      let part = pattern.apply(to: bytes[offset..<offset + 8], of: bytes, using: &random)
      try file.seek(toOffset: UInt64(offset))
      try file.write(contentsOf: part)
      let several = try structure.soundSurvey { _ in true }
      let one = try structure.survey(smallestForCores: .max)
      #expect((several == nil) == (one.faultCount > 0), "seed \(seed)")
      if let several {
        #expect(several.pages == one.pages, "seed \(seed)")
        sound += 1
      } else {
        let all = try structure.survey(smallestForCores: 0)
        #expect(all.faults == one.faults && all.damagedTables == one.damagedTables, "seed \(seed)")
        damaged += 1
      }
      try file.seek(toOffset: UInt64(offset))
      try file.write(contentsOf: bytes[offset..<offset + 8])
    }
    #expect(sound > 5 && damaged > 20, "\(sound) sound, \(damaged) damaged")
  }

  @Test func `a page that two subtrees lead to is found`() throws {
    let folder = try StructureTestFolder()
    let path = folder.file()
    try makeFile(at: path, seed: 5)
    let structure = try FileStructure.inspect(path: path)
    let one = try structure.survey(smallestForCores: .max)
    #expect(one.faultCount == 0)
    // Of two branch pages above leaves the second is made to lead where the first does.
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    let size = structure.pageSize
    func word(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
    func firstNode(_ page: Int) -> Int { page * size + word(page * size + 16) }
    func child(_ page: Int) -> Int { word(firstNode(page)) }
    let branches = (2..<bytes.count / size).filter { page in
      word(page * size + 10) == 1 && word(page * size + 12) > 20
        && word(child(page) * size + 10) == 2
    }
    #expect(branches.count > 3)
    let file = try FileHandle(forUpdating: URL(filePath: path))
    var found = 0
    for (first, second) in zip(branches, branches.dropFirst()) {
      let (from, to) = (firstNode(first), firstNode(second))
      try file.seek(toOffset: UInt64(to))
      try file.write(contentsOf: bytes[from..<from + 6])
      let faults = try structure.survey(smallestForCores: .max).faultCount
      #expect((try structure.soundSurvey { _ in true } == nil) == (faults > 0))
      // Some pages are free.
      if faults > 0 { found += 1 }
      try file.seek(toOffset: UInt64(to))
      try file.write(contentsOf: bytes[to..<to + 6])
    }
    #expect(found > 3)
  }

  @Test func `a survey ends when it is cancelled`() throws {
    let folder = try StructureTestFolder()
    let path = folder.file()
    try makeFile(at: path, seed: 6)
    let structure = try FileStructure.inspect(path: path)
    #expect(throws: FileStructure.Failure.io(ECANCELED)) {
      _ = try structure.survey(smallestForCores: 0) { $0 < 600 }
    }
  }
}
