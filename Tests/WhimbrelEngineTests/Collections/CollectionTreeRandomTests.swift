import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Random changes of a tree, of which an array tells what they should do.
@Suite struct CollectionTreeRandomTests {
  /// What elements are like, and how nodes are limited.
  struct Model: Sendable, CustomTestStringConvertible {
    let name: String
    let format: ElementFormat
    let nodeLimit: Int
    /// How long elements are.
    let lengths: [ClosedRange<Int>]

    var testDescription: String { name }

    static let all = [
      Model(name: "width 8", format: .fixed(width: 8), nodeLimit: 112, lengths: [8...8]),
      Model(name: "width 5", format: .fixed(width: 5), nodeLimit: 120, lengths: [5...5]),
      Model(name: "width 40", format: .fixed(width: 40), nodeLimit: 112, lengths: [40...40]),
      Model(name: "short", format: .variable, nodeLimit: 112, lengths: [0...20]),
      Model(name: "long", format: .variable, nodeLimit: 128, lengths: [0...9, 0...9, 50...300]),
    ]
  }

  private static let seeds: ClosedRange<UInt64> = TestRun.isLong ? 1...200 : 1...3

  @Test(.takesLong, arguments: Model.all)
  func `changes do what they do to an array`(model: Model) throws {
    var greatestHeight = 0
    for seed in Self.seeds {
      var walk = Walk(model, seed: seed)
      do {
        for step in 0..<900 { try walk.step(step) }
      } catch { Issue.record("seed \(seed): \(error)") }
      greatestHeight = max(greatestHeight, walk.greatestHeight)
    }
    #expect(greatestHeight >= 3)
  }

  struct Difference: Error {
    let step: Int
    let detail: String
  }

  struct Walk {
    var random: SeededGenerator
    let model: Model
    var tree: CollectionTree<MemoryNodes>
    var oracle: [[UInt8]] = []
    var greatestHeight = 0

    init(_ model: Model, seed: UInt64) {
      random = SeededGenerator(seed: seed)
      self.model = model
      tree = CollectionTree(MemoryNodes(), model.format, nodeLimit: model.nodeLimit)
    }

    mutating func element() -> [UInt8] {
      let lengths = model.lengths[Int.random(in: 0..<model.lengths.count, using: &random)]
      let length = Int.random(in: lengths, using: &random)
      let byte = UInt8.random(in: 0...255, using: &random)
      return (0..<length).map { byte &+ UInt8(truncatingIfNeeded: $0) }
    }

    mutating func step(_ step: Int) throws {
      try change(isGrowing: step % 300 < 180)
      greatestHeight = max(greatestHeight, try tree.height())
      var problems = try tree.check()
      if try tree.count() != oracle.count { problems.append("The count is wrong.") }
      if try tree.elements() != oracle { problems.append("The elements are wrong.") }
      if !oracle.isEmpty {
        let index = Int.random(in: 0..<oracle.count, using: &random)
        if try tree.element(at: index) != oracle[index] { problems.append("\(index) is wrong.") }
      }
      if try tree.nodeNumbers().sorted() != tree.nodes.numbers { problems.append("Nodes leak.") }
      guard problems.isEmpty else {
        throw Difference(step: step, detail: problems.joined(separator: " "))
      }
    }

    mutating func change(isGrowing: Bool) throws {
      let count = oracle.count
      let index = Int.random(in: 0...count, using: &random)
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<(isGrowing ? 45 : 15): try insert(at: index)
      case 0..<60 where index < count:
        try tree.remove(at: index)
        oracle.remove(at: index)
      case 0..<75 where index < count:
        let element = element()
        try tree.replace(at: index, with: element)
        oracle[index] = element
      case 0..<82: try insert(at: count)
      case 0..<88 where count > 0:
        try tree.remove(at: count - 1)
        oracle.removeLast()
      case 0..<95:
        let most = isGrowing ? 80 : 5
        let elements = (0..<Int.random(in: 0...most, using: &random)).map { _ in element() }
        try tree.append(contentsOf: elements)
        oracle += elements
      case 95..<97:
        // Whole leaves, single elements, or nearly everything.
        let (share, start) = (Int.random(in: 1...20, using: &random), index)
        let indices = (start..<count).filter { _ in
          Int.random(in: 0..<20, using: &random) < share
        }
        try tree.remove(at: indices)
        for index in indices.reversed() { oracle.remove(at: index) }
      default:
        let end = min(count, index + Int.random(in: 0...(isGrowing ? 40 : 200), using: &random))
        try tree.removeSubrange(index..<end)
        oracle.removeSubrange(index..<end)
      }
    }

    mutating func insert(at index: Int) throws {
      let element = element()
      try tree.insert(element, at: index)
      oracle.insert(element, at: index)
    }
  }
}
