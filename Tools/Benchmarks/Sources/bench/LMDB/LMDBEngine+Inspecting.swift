import CBenchLMDB
import Foundation

// LMDB copies the same bytes without interpreting them.
extension LMDBEngine {
  func dump() throws -> Outcome {
    let buffer = LMDBRecordBuffer()
    var bytes = 0
    let outcome = try reading { transaction in
      let cursor = try transaction.cursor(try transaction.table("persons", create: false))
      defer { cursor.close() }
      var found = 0.0
      while let (_, record) = try cursor.next() {
        buffer.copy(record)
        bytes += buffer.count
        found += 1
      }
      return found
    }
    return outcome.moving(bytes: bytes)
  }

  func load() throws -> Outcome {
    let copy = path + ".copy"
    defer {
      for name in [copy, copy + "-lock"] { try? FileManager.default.removeItem(atPath: name) }
    }
    let source = try LMDBEnvironment(path: path)
    let reader = try source.begin(readOnly: true)
    defer { reader.abort() }
    let records = try reader.cursor(try reader.table("persons", create: false))
    defer { records.close() }
    let buffer = LMDBRecordBuffer()
    var bytes = 0
    let outcome = try Outcome.measure {
      let target = try LMDBEnvironment(path: copy)
      let writer = try target.begin()
      let cursor = try writer.cursor(try writer.table("persons"))
      var found = 0.0
      while let (key, record) = try records.next() {
        buffer.copy(record)
        try cursor.put(key, buffer, flags: MDB_APPEND)
        bytes += buffer.count
        found += 1
      }
      cursor.close()
      try writer.commit()
      return found
    }
    return outcome.moving(bytes: bytes)
  }

  func check() throws -> Outcome { try checkPages() }

  func checkPages() throws -> Outcome {
    let size = try fileSize(of: path)
    var buffer = [UInt64](repeating: 0, count: 1 << 17)
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let outcome = Outcome.measure {
      var sum: UInt64 = 0
      while true {
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
          unsafe read(file, bytes.baseAddress, bytes.count)
        }
        if count <= 0 { break }
        for index in 0..<count / 8 { sum &+= buffer[index] }
      }
      // The answer uses the sum, so that the optimiser does not remove the
      // loop.
      return sum == 1 ? 1 : 0
    }
    return outcome.moving(bytes: size)
  }
}

func fileSize(of path: String) throws -> Int {
  let attributes = try FileManager.default.attributesOfItem(atPath: path)
  return (attributes[.size] as? NSNumber)?.intValue ?? 0
}
