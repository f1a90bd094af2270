import Foundation

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// A small store of two classes with every type, in a folder of its own.
final class OpeningTestStore {
  let folder: String
  let path: String

  /// Makes the folder, and the store unless none is wanted.
  init(objects: Int? = 20) throws {
    folder = FileManager.default.temporaryDirectory.path + "/opening-\(UUID().uuidString)"
    path = folder + "/test.whimbrel"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if let objects { try Self.make(path, objects: objects) }
  }

  deinit {
    unsafe chmod(folder, 0o755)
    try? FileManager.default.removeItem(atPath: folder)
  }

  var bytes: Data {
    get throws { try Data(contentsOf: URL(fileURLWithPath: path)) }
  }

  func write(_ data: Data) throws { try data.write(to: URL(fileURLWithPath: path)) }

  static let schema = StoreSchema(classes: [
    ClassSchema(
      name: "Thing",
      properties: [
        PropertySchema(name: "name", type: .string, isPrimaryKey: true),
        PropertySchema(name: "other", type: .link(to: "Other")),
        PropertySchema(name: "count", type: .int, isIndexed: true, defaultValue: .value(7)),
      ]
        + PropertyType.scalars.flatMap { type in
          [
            PropertySchema(name: "a_\(type)", type: type),
            PropertySchema(name: "o_\(type)", type: type, isOptional: true),
          ]
        }),
    ClassSchema(
      name: "Other",
      properties: [
        PropertySchema(name: "number", type: .int, isPrimaryKey: true),
        PropertySchema(name: "text", type: .string, isOptional: true, isIndexed: true),
      ]),
  ])

  static func request(_ path: String, version: SchemaVersion = 1) -> OpenRequest {
    var request = OpenRequest(path: path)
    request.declaration = Declaration(schema)
    request.schemaVersion = version
    request.identity = StoreIdentity(
      uuid: UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"),
      date: Date(timeIntervalSinceReferenceDate: 7e8))
    return request
  }

  var request: OpenRequest { Self.request(path) }

  var readOnlyRequest: OpenRequest {
    var request = request
    request.isReadOnly = true
    return request
  }

  static func make(_ path: String, objects: Int) throws {
    let session = try Session(StoreFile.open(request(path)))
    try add(0..<objects, to: session)
  }

  /// Adds objects whose values follow from their numbers.
  static func add(_ numbers: Range<Int>, to session: Session) throws {
    try session.write {
      let (things, others) = (try session.table("Thing"), try session.table("Other"))
      for number in numbers {
        let text: PropertyValue = number % 3 == 0 ? .null : .string("text \(number)")
        let other = try others.create(
          ["number": .int(Int64(number) - 5), "text": text], replacing: false)
        var values: [String: PropertyValue] = [
          "name": .string("thing \(number)"), "count": .int(Int64(number % 4)),
        ]
        if number % 2 == 0 { values["other"] = .link(other) }
        for type in PropertyType.scalars {
          values["a_\(type)"] = value(type, number)
          values["o_\(type)"] = number % 2 == 0 ? .null : value(type, number + 1)
        }
        _ = try things.create(values, replacing: false)
      }
    }
  }

  static func value(_ type: PropertyType, _ number: Int) -> PropertyValue {
    switch type {
    case .bool: .bool(number % 2 == 0)
    case .float: .float(Float(number) / 3)
    case .double: .double(Double(number) / 7)
    case .string: .string(String(repeating: "é\(number) ", count: number % 5))
    case .data: .data(Data((0..<number % 30).map { UInt8(truncatingIfNeeded: $0 + number) }))
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(number) * 1e6))
    case .uuid: .uuid(UUID(uuidString: "00000000-0000-4000-8000-0000000000\(10 + number % 90)")!)
    case .decimal: .decimal(Decimal(number) / 8)
    case .objectId: .objectId(ObjectId(high: UInt64(number) << 40, low: UInt32(number)))
    case .any: number % 3 == 0 ? .null : .list([.int(Int64(number)), .string("any \(number)")])
    case .link, .list, .set, .map: .null
    default: .int(Int64(number % 100))
    }
  }
}

/// A value as text, to the bit. Foundation has no words for a date that is no
/// number, and traps.
func openingText(_ value: PropertyValue) -> String {
  switch value {
  case .date(let date): "date \(date.timeIntervalSinceReferenceDate.bitPattern)"
  case .double(let number): "double \(number.bitPattern)"
  case .float(let number): "float \(number.bitPattern)"
  case .data(let data): "data \(Array(data))"
  default: "\(value)"
  }
}

/// Everything that a session shows, as text; it visits every value.
func openingDump(_ session: Session) throws -> String {
  var lines: [String] = []
  for table in session.classes {
    lines.append("\(table.resolved.schema)")
    for id in try table.objectIDs() {
      guard let record = try table.record(id) else { continue }
      let values = try table.resolved.properties.indices.map { position in
        openingText(try table.value(position, of: record, id))
      }
      lines.append("\(id): \(values)")
    }
    for (position, property) in table.resolved.properties.enumerated() where property.hasIndex {
      lines.append("\(try table.find(position, equalTo: .int(1)))")
    }
    if table.resolved.primaryKeyIndex != nil {
      lines.append("\(String(describing: try table.find("thing 1")))")
    }
  }
  return lines.joined(separator: "\n")
}
