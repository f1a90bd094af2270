import Foundation
import WhimbrelInspection

// Work of the inspector, which does not use the models.
extension WhimbrelEngine {
  func dump() throws -> Outcome {
    let objects = try Self.objects(path)
    var bytes = 0
    let outcome = try Outcome.measure {
      try StoreDump(StoreInspector(path: path)).write { bytes += $0.count }
      return Double(objects)
    }
    return outcome.moving(bytes: bytes)
  }

  func load() throws -> Outcome {
    let (text, copy) = (path + ".jsonl", path + ".copy")
    defer { Self.remove(text, copy, copy + "-lock") }
    var bytes = 0
    guard FileManager.default.createFile(atPath: text, contents: nil),
      let file = FileHandle(forWritingAtPath: text)
    else { throw WorkloadError(description: "\(text) cannot be written.") }
    try StoreDump(StoreInspector(path: path)).write { chunk in
      bytes += chunk.count
      try file.write(contentsOf: chunk)
    }
    try file.close()
    let outcome = try Outcome.measure {
      Double(try StoreLoad(.file(at: text), into: copy).run().objects)
    }
    return outcome.moving(bytes: bytes)
  }

  func checkPages() throws -> Outcome {
    let outcome = try Outcome.measure {
      _ = try StoreInspector(path: path)
      return 0
    }
    return outcome.moving(bytes: try fileSize(of: path))
  }

  func check() throws -> Outcome {
    let outcome = try Outcome.measure {
      let report = try StoreCheck(path: path).run()
      guard report.isSound else { throw WorkloadError(description: "\(path) is damaged.") }
      return 0
    }
    return outcome.moving(bytes: try fileSize(of: path))
  }

  func info() throws -> Outcome {
    try .measure {
      let description = try StoreOverview(path: path).description()
      return Double(description.classes.reduce(0) { $0 + $1.objects })
    }
  }

  private static func objects(_ path: String) throws -> Int {
    try StoreInspector(path: path).description().classes.reduce(0) { $0 + $1.objects }
  }

  private static func remove(_ paths: String...) {
    for path in paths { try? FileManager.default.removeItem(atPath: path) }
  }
}
