internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A fast reader of lines of one class. It reads the exact form that a dump writes straight into
/// the encoder of the class.
///
/// For any other line it returns nil without an error. The caller then reads the line as JSON,
/// which finds and explains problems.
final class RecordReader {
  /// The parts of a line other than the values.
  struct Header {
    let id: ObjectID
    /// The offset of the ID in the line.
    let offset: Int
    /// The offset of the values in the line.
    let valuesOffset: Int
  }

  /// The form of the elements of a list.
  private struct Element: BitwiseCopyable, Sendable {
    let form: ValueForm
    /// The size of an element in bytes, or 0 if elements are read as JSON.
    let width: Int
  }

  private let table: ClassTable
  private let values: ValueReader
  private let form: RecordForm
  private let head: StaticArray<UInt8>
  /// The form of the elements by the index of the property. Meaningless for other types.
  private let elements: StaticArray<Element>
  /// The kind of names that links use, by the index of the property.
  private let linked: [LinkedKeys]
  // Safe: one thread uses the reader, and no access to the buffer overlaps another.
  @safe @exclusivity(unchecked) private var scratch = ByteBuffer()

  /// Stores a value that was read as JSON.
  typealias Storing = (_ position: Int, PropertyValue) throws -> Void

  init(_ table: ClassTable, _ values: ValueReader, _ keys: DumpKeys) {
    self.table = table
    self.values = values
    form = RecordForm(table.resolved.written, of: table.resolved.properties)
    head = StaticArray(ClassDump.head(of: table))
    elements = StaticArray(table.resolved.properties.map(Self.element))
    linked = table.resolved.properties.map { property in
      guard let name = property.type.linkedClass, let target = table.session.find(name),
        let position = target.resolved.primaryKeyIndex
      else { return .unknown }
      if target.resolved.isClustered { return .clustered }
      guard target.resolved.properties[position].type == .string,
        let directory = keys.directory(of: name)
      else { return .unknown }
      return .texts(directory)
    }
  }

  private static func element(of property: CatalogProperty) -> Element {
    // The encoder checks the cases of an enum only for elements given as values, so these go
    // through JSON.
    guard case .list(let element) = property.type, property.cases == nil, !element.isOptional,
      case let form = ValueForm(element.type), form.hasBits || form == .link
    else { return Element(form: .other, width: 0) }
    return Element(form: form, width: element.type.slotSize)
  }

  /// Returns the offset of the values in the line of an object, if a dump wrote the line.
  func valuesOffset(of id: ObjectID) -> Int {
    var writer = JSONWriter()
    writer.append(exact: id.rawValue)
    return head.view.count + writer.count + Self.valuesHead.utf8CodeUnitCount - 1
  }

  private static let valuesHead: StaticString = #","values":{"#

  /// Reads a line into the encoder. Returns nil if the line does not have the form of a dump.
  func read(_ line: [UInt8], _ store: Storing) -> Header? {
    PageBytes.with(line) { bytes in
      var scanner = LineScanner(bytes)
      // The values begin with the brace, which is the last of the 11 bytes of `valuesHead`.
      guard scanner.skip(head.view.bytes), case let offset = scanner.position,
        let id = scanner.readUnsigned(), case let valuesOffset = scanner.position + 10,
        scanner.skip(Self.valuesHead), readValues(&scanner, line, store), scanner.skip("}}"),
        scanner.isAtEnd
      else { return nil }
      return Header(id: ObjectID(rawValue: id), offset: offset, valuesOffset: valuesOffset)
    }
  }

  private func readValues(
    _ scanner: inout LineScanner, _ line: [UInt8], _ store: Storing
  ) -> Bool {
    table.encoder.begin()
    let (columns, names) = (form.columnView, form.names)
    var nameStart = 0
    for position in 0..<columns.count {
      let column = columns[position]
      let nameEnd = Int(column.nameEnd)
      guard let name = names.slice(at: nameStart, count: nameEnd - nameStart), scanner.skip(name),
        read(&scanner, column, position) || readAsJSON(&scanner, position, line, store)
      else { return false }
      nameStart = nameEnd
    }
    return true
  }

  private func readAsJSON(
    _ scanner: inout LineScanner, _ position: Int, _ line: [UInt8], _ store: Storing
  ) -> Bool {
    do {
      let node = try JSONParser.parse(line, at: &scanner.position)
      try store(position, values.value(node, of: table.resolved.properties[position]))
      return true
    } catch {
      // The line will be read again as JSON, and that reports the problem.
      return false
    }
  }
}

// MARK: - Values

extension RecordReader {
  /// Reads a value. Returns false and keeps the scanner's position if the value has another form.
  @inline(__always)
  private func read(
    _ scanner: inout LineScanner, _ column: RecordForm.Column, _ position: Int
  ) -> Bool {
    let start = scanner.position
    if column.mayBeAbsent, column.form != .elements, column.form != .other, scanner.skip("null") {
      table.encoder.setNull(position)
      return true
    }
    if column.form.hasBits {
      if let bits = scanner.readBits(column.form) {
        table.encoder.set(position, bits: bits)
        return true
      }
    } else {
      switch column.form {
      case .text: if readText(&scanner, position) { return true }
      case .data: if readData(&scanner, position) { return true }
      case .elements: if readElements(&scanner, position) { return true }
      case .link:
        if let id = scanner.readLink(linked[position]) {
          table.encoder.set(position, bits: id)
          return true
        }
      case .uuid:
        if let uuid = scanner.readUUID() {
          table.encoder.set(position, uuid)
          return true
        }
      case .objectId:
        if let id = scanner.readObjectId() {
          table.encoder.set(position, id)
          return true
        }
      default: break
      }
    }
    scanner.position = start
    return false
  }

  private func readText(_ scanner: inout LineScanner, _ position: Int) -> Bool {
    guard let text = scanner.readText() else { return false }
    do {
      if text.isASCII {
        try table.encoder.set(position, contents: text.bytes)
      } else {
        guard let string = text.bytes.validText else { return false }
        try table.encoder.set(position, string)
      }
      return true
    } catch {
      return false
    }
  }

  private func readData(_ scanner: inout LineScanner, _ position: Int) -> Bool {
    guard scanner.readBase64(into: &scratch) else { return false }
    do {
      try table.encoder.set(position, contents: scratch.bytes)
      return true
    } catch {
      return false
    }
  }

  private func readElements(_ scanner: inout LineScanner, _ position: Int) -> Bool {
    let element = elements.view[position]
    guard element.width > 0, scanner.skip(UInt8(ascii: "[")) else { return false }
    scratch.reset(zeros: 0)
    if !scanner.skip(UInt8(ascii: "]")) {
      repeat {
        let bits =
          element.form == .link
          ? scanner.readLink(linked[position]) : scanner.readBits(element.form)
        guard let bits else { return false }
        let start = scratch.count
        scratch.appendZeros(8)
        scratch.store(bits.littleEndian, at: start)
        scratch.removeLast(8 - element.width)
      } while scanner.skip(UInt8(ascii: ","))
      guard scanner.skip(UInt8(ascii: "]")) else { return false }
    }
    return table.encoder.set(position, elements: scratch.bytes, width: element.width)
  }
}
