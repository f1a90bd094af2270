import Foundation
import Whimbrel
import WhimbrelInspection

/// A trial of limits on one file. Each throws ``WorkloadError`` for a wrong answer.
struct LimitTrial {
  let file: URL
  let objects: Int
  let gigabytes: Int

  func run(_ limit: Limit) throws {
    switch limit {
    case .manyClasses: try tryShape(classes: 500, properties: 10)
    case .manyProperties: try tryShape(classes: 1, properties: 1_000)
    case .largeObject: try tryLargeObject()
    case .largeStore: try tryLargeStore()
    case .manyObjects: try tryManyObjects()
    }
  }

  /// Returns the size of the file, and how much of it lies on the disk.
  func fileSize() throws -> (apparent: Int, allocated: Int) {
    var status = stat()
    guard unsafe stat(file.path, &status) == 0 else {
      throw WorkloadError(description: "There is no file at \(file.path).")
    }
    return (Int(status.st_size), Int(status.st_blocks) * 512)
  }

  private func store() throws -> Store {
    try Store(
      Store.Configuration(url: file, models: [Grain.self, Boulder.self], schemaVersion: 0))
  }

  /// Runs a step, and prints how long it took.
  private func step<Result>(_ title: String, _ work: () throws -> Result) rethrows -> Result {
    let start = ContinuousClock.now
    let result = try work()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    say("  \(title): \(String(format: "%.2f", seconds)) s")
    return result
  }

  private func require(_ isRight: Bool, _ what: String) throws {
    if !isRight { throw WorkloadError(description: "Wrong: \(what).") }
  }

  private func checkFile() throws {
    let report = try step("check") { try StoreCheck(path: file.path).run() }
    try require(report.isSound, "the check found \(report.text)")
  }

  // MARK: - Shapes

  /// Loads objects of classes that nobody has declared.
  private func tryShape(classes: Int, properties: Int) throws {
    let rows = 20
    let names = (0..<classes).map { "Class\($0)" }
    let schema: [[String: Any]] = names.map { name in
      let members = (0..<properties).map { number -> [String: Any] in
        number == 0
          ? ["name": "number", "type": "int", "primaryKey": true]
          : ["name": "property\(number)", "type": number % 2 == 0 ? "int" : "string"]
      }
      return ["name": name, "properties": members]
    }
    let rest: [String: Any] = [
      "version": 2, "uuid": UUID().uuidString, "created": "2026-01-01T00:00:00Z", "history": [],
      "schema": ["classes": schema, "schemaVersion": 1],
      "objectIDs": names.map { ["class": $0, "areKeys": true, "objects": rows] },
    ]
    // A dump begins with this.
    var dump = Data(#"{"whimbrel":"dump","#.utf8)
    dump.append(try JSONSerialization.data(withJSONObject: rest, options: .sortedKeys).dropFirst())
    for name in names {
      for row in 0..<rows {
        var values: [String: Any] = ["number": row]
        for number in 1..<properties {
          values["property\(number)"] = number % 2 == 0 ? row * number : "text \(row) \(number)"
        }
        dump.append(0x0A)
        dump.append(
          try JSONSerialization.data(
            withJSONObject: [
              "class": name, "id": "\(UInt64(1) << 63 + UInt64(row))", "values": values,
            ], options: .sortedKeys))
      }
    }
    let summary = try step("load \(classes * rows) objects") {
      try StoreLoad(.data(dump), into: file.path).run()
    }
    try require(summary.classes == classes && summary.objects == classes * rows, "\(summary)")
    let inspector = try step("open") { try StoreInspector(path: file.path) }
    try require(inspector.schema.classes.count == classes, "the number of classes")
    let description = try step("describe") { try inspector.description() }
    try require(description.classes.allSatisfy { $0.objects == rows }, "the number of objects")
    try checkFile()
  }

  // MARK: - Large values

  /// Stores a value of a gigabyte, changes what is beside it, and replaces and deletes it.
  private func tryLargeObject() throws {
    let size = 1 << 30
    var body = Data(count: size)
    unsafe body.withUnsafeMutableBytes { bytes in
      for place in stride(from: 0, to: size - 7, by: 509) {
        unsafe bytes.storeBytes(of: UInt64(place), toByteOffset: place, as: UInt64.self)
      }
    }
    let store = try store()
    try step("add") {
      try store.write { try store.add(Boulder(number: 1, name: "large", body: body)) }
    }
    func boulder() throws -> Boulder {
      guard let found = store.object(ofType: Boulder.self, forPrimaryKey: 1) else {
        throw WorkloadError(description: "The large object is missing.")
      }
      return found
    }
    try require(try step("read") { try boulder().body == body }, "the value")
    try step("change another property") {
      try store.write { try boulder().name = "still large" }
    }
    try require(try boulder().body == body, "the value after a change")
    try step("replace") { try store.write { try boulder().body = Data(body.reversed()) } }
    try require(try boulder().body.first == body.last, "the new value")
    try checkFile()
    try step("delete") { try store.write { try store.delete(boulder()) } }
    try require(store.objects(Boulder.self).isEmpty, "the count after the deletion")
    try store.close()
    try checkFile()
  }

  /// Fills a store with values of zeros, whose pages become holes of the file.
  private func tryLargeStore() throws {
    let size = 1 << 30
    let zeros = Data(count: size)
    let store = try store()
    try step("add \(gigabytes) values of 1 GiB") {
      for number in 0..<gigabytes {
        try store.write {
          try store.add(Grain(number: number, weight: number))
          try store.add(Boulder(number: number, name: "number \(number)", body: zeros))
        }
        try digHoles(from: number == 0 ? 0 : number * size)
      }
    }
    let sizes = try fileSize()
    say("  file \(sizes.apparent >> 20) MiB, on the disk \(sizes.allocated >> 20) MiB")
    try require(sizes.apparent > gigabytes << 30, "the size of the file")
    try store.close()
    try step("open, and read the first and the last value") {
      let store = try self.store()
      for number in [0, gigabytes - 1] {
        let found = store.object(ofType: Boulder.self, forPrimaryKey: number)
        try require(found?.body == zeros && found?.name == "number \(number)", "value \(number)")
      }
      try require(store.objects(Boulder.self).count == gigabytes, "the count")
    }
    try step("write behind them, and delete half of them") {
      let store = try self.store()
      try store.write {
        try store.delete(store.objects(Boulder.self).where { $0.number < gigabytes / 2 })
        for grain in store.objects(Grain.self) { grain.weight += 1 }
      }
      try require(
        store.objects(Grain.self).sum(of: \.weight) == gigabytes * (gigabytes + 1) / 2, "the sum")
    }
    try checkFile()
  }

  /// Gives back the blocks of the file that have only zeros.
  private func digHoles(from offset: Int) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/fallocate")
    process.arguments = ["--dig-holes", "--offset", "\(offset)", file.path]
    try process.run()
    process.waitUntilExit()
    try require(process.terminationStatus == 0, "fallocate refused")
  }

  // MARK: - Many objects

  private func tryManyObjects() throws {
    let batch = 1_000_000
    let store = try store()
    try step("add \(objects) objects, \(batch) in a write") {
      for start in stride(from: 0, to: objects, by: batch) {
        try store.write {
          for number in start..<min(start + batch, objects) {
            try store.add(Grain(number: number, weight: number % 1_000))
          }
        }
      }
    }
    let grains = store.objects(Grain.self)
    try require(step("count") { grains.count } == objects, "the count")
    let sum = (0..<1_000).reduce(0, +) * (objects / 1_000)
    try require(step("sum") { grains.sum(of: \.weight) } == sum, "the sum")
    let light = step("filter") { grains.where { $0.weight < 10 }.count }
    try require(light == objects / 100, "what the filter found")
    var random = SystemRandomNumberGenerator()
    try step("look up 1,000,000 objects") {
      for _ in 0..<1_000_000 {
        let number = Int.random(in: 0..<objects, using: &random)
        let found = store.object(ofType: Grain.self, forPrimaryKey: number)
        try require(found?.weight == number % 1_000, "object \(number)")
      }
    }
    try step("change 1,000 objects") {
      try store.write {
        for number in stride(from: 0, to: objects, by: objects / 1_000) {
          store.object(ofType: Grain.self, forPrimaryKey: number)?.weight += 1
        }
      }
    }
    try require(grains.sum(of: \.weight) == sum + 1_000, "the sum after the change")
    try store.close()
    _ = try step("open again") { try self.store() }
    try checkFile()
  }
}
