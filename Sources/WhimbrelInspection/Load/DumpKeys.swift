internal import WhimbrelEngine
internal import WhimbrelLMDB

/// The primary keys in a dump, for links that name them.
///
/// A link may lead to an object that comes later in the dump, so the keys are collected in a pass
/// before loading. This is done only for classes that links lead to and whose object IDs are not
/// their keys.
struct DumpKeys {
  private var directories: [String: KeyDirectory] = [:]

  var count: Int { directories.values.reduce(0) { $0 + $1.count } }

  /// Creates an empty set of keys.
  init() {}

  /// Returns whether a dump may have links by keys that must be collected before loading.
  static func areNeeded(by header: DumpHeader, _ tables: [ClassTable]) -> Bool {
    header.version > 1 && !Self.linkedClasses(among: tables).isEmpty
  }

  /// Returns the classes whose keys must be collected.
  private static func linkedClasses(among tables: [ClassTable]) -> [ClassTable] {
    let types = tables.flatMap { $0.resolved.properties.map(\.type) }
    let isOpen = types.contains { $0 == .any || $0.elementType?.type == .any }
    let linked = Set(types.compactMap(\.linkedClass))
    return tables.filter { table in
      table.resolved.primaryKeyIndex != nil && !table.resolved.isClustered
        && (isOpen || linked.contains(table.name))
    }
  }

  /// Collects the keys of a dump.
  ///
  /// - Parameters:
  ///   - lines: The lines after the first. An invalid line is skipped; loading will report it.
  ///   - tables: The classes of the store.
  ///   - report: Receives the number of lines read.
  /// - Complexity: O(*n*), in memory for the keys.
  init(
    _ lines: inout LineReader, _ tables: [ClassTable],
    _ report: (_ completed: Int) throws -> Void
  ) throws {
    var scans = Self.linkedClasses(among: tables).map(ClassScan.init)
    let others = Set(tables.map(\.name)).subtracting(scans.map(\.name))
    let otherHeads = tables.filter { others.contains($0.name) }.map(ClassDump.head)
    var (last, completed) = (0, 0)
    while let line = try lines.next() {
      completed += 1
      if completed % 10_000 == 0 { try report(completed) }
      PageBytes.with(line) { bytes in
        if scans[last].add(bytes) { return }
        if let index = scans.firstIndex(where: { bytes.hasPrefix($0.head) }) {
          last = index
          if scans[index].add(bytes) { return }
        } else if otherHeads.contains(where: bytes.hasPrefix) {
          return
        }
        guard let parts = try? DumpLine(line),
          let index = scans.firstIndex(where: { $0.name == parts.className })
        else { return }
        scans[index].add(parts)
      }
    }
    for scan in scans { directories[scan.name] = scan.directory }
  }

  /// Returns the keys of a class, or nil if they were not collected.
  func directory(of className: String) -> KeyDirectory? { directories[className] }

  /// A resolver for links within the dump, whose objects keep their IDs.
  var resolver: LinkResolver {
    LinkResolver(
      byID: { id, _ in id },
      byKey: { key, table in
        if table.resolved.isClustered, case .int(let number) = key {
          return ObjectID(clusteredKey: number)
        }
        return PageBytes.with(Array(key.keyText.utf8)) { directories[table.name]?.object($0) }
      })
  }
}

/// A scan for the primary keys in the lines of one class.
private struct ClassScan {
  let name: String
  let head: [UInt8]
  private(set) var directory = KeyDirectory()
  private let key: CatalogProperty?
  /// The text in front of each value, up to the key.
  private let names: [[UInt8]]

  init(_ table: ClassTable) {
    name = table.name
    head = ClassDump.head(of: table)
    let position = table.resolved.primaryKeyIndex ?? 0
    key =
      table.resolved.properties.indices.contains(position)
      ? table.resolved.properties[position] : nil
    names = table.resolved.properties.prefix(position + 1).enumerated().map { index, property in
      var writer = JSONWriter()
      if index > 0 { writer.append(raw: ",") }
      writer.append(property.name)
      writer.append(raw: ":")
      return writer.bytes
    }
  }

  /// Adds the object of a line that has the exact form that a dump writes. Returns false for other
  /// lines.
  mutating func add(_ line: PageBytes) -> Bool {
    var scanner = LineScanner(line)
    guard scanner.skip(head), let id = scanner.readUnsigned(), scanner.skip(#","values":{"#) else {
      return false
    }
    for (index, name) in names.enumerated() {
      guard scanner.skip(name) else { return false }
      if index < names.count - 1, !scanner.skipValue() { return false }
    }
    let objectID = ObjectID(rawValue: id)
    switch key?.type {
    case .string:
      guard let text = scanner.readText(), text.isASCII || text.bytes.validText != nil else {
        return false
      }
      directory.insert(text.bytes, objectID)
      return true
    case let type? where type.isInteger:
      guard let number = scanner.readInteger() else { return false }
      insert(.int(number), objectID)
      return true
    default: return false
    }
  }

  /// Adds the object of a parsed line.
  mutating func add(_ line: DumpLine) {
    guard let key, let member = line.values.first(where: { $0.name == key.name }),
      let value = try? PropertyValue.scalar(member.value, as: key.type)
    else { return }
    insert(value, ObjectID(rawValue: line.id))
  }

  private mutating func insert(_ key: PropertyValue, _ id: ObjectID) {
    PageBytes.with(Array(key.keyText.utf8)) { directory.insert($0, id) }
  }
}
