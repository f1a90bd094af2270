import Foundation
import Whimbrel
import WhimbrelTestSupport
import WhimbrelTesting

/// Random operations on a store, each of them done to an ``ObjectOracle`` too.
///
/// A write spans several steps, and is now and then rolled back. A second store of the
/// file keeps its snapshot meanwhile.
final class RandomWalk {
  typealias Reference = ObjectOracle.Reference

  let seed: UInt64
  var values: WalkValues
  var store: Store
  /// What is committed, or written so far.
  var oracle: ObjectOracle
  private let configuration: Store.Configuration
  private let folder: URL
  private var observer: Store
  /// What the observer showed at its last refresh.
  private var observed: ObjectOracle
  private var step = 0
  /// The last operations, for whoever has to find out why one failed.
  private var trace: [String] = []
  private(set) var commits = 0
  private(set) var rollbacks = 0
  var refusals = 0

  /// How many objects a class has at most, so that all can be looked at often.
  static let limit = 8

  init(seed: UInt64) throws {
    self.seed = seed
    values = WalkValues(seed: seed)
    folder = Self.scratch.appending(path: "whimbrel-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var configuration = Store.Configuration(
      url: folder.appending(path: "Walk.whimbrel"), models: Walk.models)
    configuration.durability = .relaxed
    // Many walks at once have room in the address space.
    configuration.maximumSize = 1 << 32
    self.configuration = configuration
    store = try Store(configuration)
    observer = try Store(configuration)
    oracle = ObjectOracle(
      store.schema,
      classIDs: Dictionary(
        uniqueKeysWithValues: store.session.classes.map { ($0.name, $0.resolved.id) }))
    observed = oracle
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Memory, where the system has a folder of it: what a commit waits for is not what
  /// is tested.
  private static let scratch: URL = {
    let memory = URL(filePath: "/dev/shm")
    return FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
  }()

  func run(steps: Int) throws {
    do {
      while step < steps {
        switch values.number(0..<100) {
        case 0..<2: try reopen()
        case 2..<12: try refreshObserver()
        default: try write()
        }
      }
      try reopen()
    } catch let failure as WalkFailure {
      throw failure
    } catch {
      throw failure("an error that is not expected: \(error)")
    }
  }

  /// What went wrong, where.
  func failure(_ text: String) -> WalkFailure {
    let recent = trace.suffix(12).joined(separator: "\n")
    return WalkFailure(description: "seed \(seed), step \(step): \(text)\n\(recent)")
  }

  func require(_ condition: Bool, _ text: @autoclosure () -> String) throws {
    if !condition { throw failure(text()) }
  }

  /// Notes what is about to be done.
  func note(_ text: @autoclosure () -> String) {
    if TestRun.seed != nil { trace.append("\(step): \(text())") }
  }
}

struct WalkFailure: Error, CustomStringConvertible {
  let description: String
}

// MARK: - Writes and snapshots

extension RandomWalk {
  private struct RollBack: Error {}

  private func write() throws {
    let before = oracle
    let isRolledBack = values.happens(percent: 15)
    var spoiled: StoreError.Code?
    do {
      try store.write {
        for _ in 0..<values.number(1..<40) { try takeStep() }
        if values.happens(percent: 15) { try checkAll() }
        if isRolledBack { throw RollBack() }
        if values.happens(percent: 5) { spoiled = try spoil() }
      }
      if let spoiled { throw failure("the write did not fail with \(spoiled)") }
      commits += 1
    } catch is RollBack {
      note("roll back")
      rollbacks += 1
      oracle = before
    } catch let error as StoreError where spoiled != nil && error.code == spoiled {
      note("the write has failed")
      oracle = before
    }
    try checkAll()
  }

  /// One operation, and whether everything that it has touched is right.
  private func takeStep() throws {
    step += 1
    oracle.touched = []
    try operate()
    for reference in oracle.touched { try check(reference, in: store, against: oracle) }
    try checkCounts()
    try checkInverse()
    // At each step of every fiftieth walk; more would take too long.
    if step % 25 == 0 || seed % 50 == 7 { try checkAll() }
  }

  private func reopen() throws {
    note("reopen")
    if values.happens(percent: 50) {
      // The file is closed altogether.
      try observer.close()
      try store.close()
    }
    store = try Store(configuration)
    observer = try Store(configuration)
    observed = oracle
    try checkAll()
  }

  private func refreshObserver() throws {
    note("refresh")
    try compare(observer, with: observed)
    let hasChanged = try observer.refresh()
    try require(hasChanged || observed.isSame(as: oracle), "a refresh found nothing new")
    observed = oracle
    try compare(observer, with: observed)
  }
}

// MARK: - Checks

extension RandomWalk {
  /// Compares everything, and lets the store look for what does not agree.
  func checkAll() throws {
    // By name, or by model.
    if values.happens(percent: 50) {
      try compare(store, with: oracle)
    } else {
      try checkTyped()
    }
    try checkIntegrity()
  }

  func checkIntegrity() throws {
    let findings = try IntegrityCheck.run(store.session)
    try require(findings.isEmpty, "\(findings.map(\.description))")
  }

  private func compare(_ store: Store, with oracle: ObjectOracle) throws {
    for shape in oracle.shapes {
      let found = try store.dynamicObjects(shape.name).map(\.id).sorted {
        $0.rawValue < $1.rawValue
      }
      let expected = oracle.ids(shape.name)
      try require(found == expected, "\(shape.name) has \(found) instead of \(expected)")
      for id in expected {
        try check(Reference(className: shape.name, id: id), in: store, against: oracle)
      }
    }
  }

  private func check(
    _ reference: Reference, in store: Store, against oracle: ObjectOracle
  ) throws {
    guard let expected = oracle.values(reference) else {
      throw failure("\(reference) is not expected")
    }
    let object = try object(reference, in: store)
    for (position, property) in oracle.shape(reference.className).properties.enumerated() {
      let found = try object.value(property.name)
      try require(
        found.isExactly(expected[position]),
        "'\(property.name)' of \(reference) is \(found) instead of \(expected[position])")
    }
  }

  private func checkCounts() throws {
    for shape in oracle.shapes {
      let (found, expected) = (
        try store.session.table(shape.name).count(), oracle.count(shape.name)
      )
      try require(found == expected, "\(found) instead of \(expected) of \(shape.name)")
    }
  }

  /// Looks at what links to some object.
  private func checkInverse() throws {
    let shape = values.pick(oracle.shapes)
    let links = shape.links.filter { $0.target != nil }
    guard !links.isEmpty else { return }
    let link = values.pick(links)
    let property = shape.properties[link.position].name
    guard let target = values.existing(oracle, link.target ?? "") else { return }
    let found = try object(target).linkingObjects(ofType: shape.name, property: property)
      .map(\.id)
    let expected = oracle.sources(shape.name, property, to: target)
    try require(
      found == expected,
      "'\(shape.name).\(property)' leads to \(target) from \(found) instead of \(expected)")
  }

  func object(_ reference: Reference, in other: Store? = nil) throws -> DynamicObject {
    try StoredObjects((other ?? store).session, reference.className).object(reference.id)
  }
}
