internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Reads lines of objects of one class that are as a dump writes them, straight into the
/// encoder of the class.
///
/// What is written otherwise, or is wrong, it leaves to who reads the line as JSON: it gives up
/// without a word.
final class RecordReader {
  /// What is known of an object after its line has been read.
  struct Header {
    let id: ObjectID
    /// Where the ID stands.
    let offset: Int
    /// Where the values stand.
    let valuesOffset: Int
  }

  /// How an element of a list is read.
  private struct Element: BitwiseCopyable, Sendable {
    let form: ValueForm
    /// How many bytes it has; 0 for elements that are read as JSON.
    let width: Int
  }

  private let table: ClassTable
  private let values: ValueReader
  private let form: RecordForm
  private let head: StaticArray<UInt8>
  /// By the position of the property; of no meaning for those that are no lists.
  private let elements: StaticArray<Element>
  /// How links name objects, by the position of the property.
  private let linked: [LinkedKeys]
  // Safe: it is used by one call after the other, on one thread.
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
    // The elements of an enum are checked against its cases.
    guard case .list(let element) = property.type, property.cases == nil, !element.isOptional,
      case let form = ValueForm(element.type), form.hasBits || form == .link
    else { return Element(form: .other, width: 0) }
    return Element(form: form, width: element.type.slotSize)
  }

  /// Where the values stand in the line of an object, if it is as usual.
  func valuesOffset(of id: ObjectID) -> Int {
    var writer = JSONWriter()
    writer.append(exact: id.rawValue)
    return head.view.count + writer.count + Self.valuesHead.utf8CodeUnitCount - 1
  }

  private static let valuesHead: StaticString = #","values":{"#

  /// Reads a line into the encoder, or returns nil for one that is not as usual.
  func read(_ line: [UInt8], _ store: Storing) -> Header? {
    PageBytes.with(line) { bytes in
      var scanner = LineScanner(bytes)
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

  /// Reads a value with the parser of JSON.
  private func readAsJSON(
    _ scanner: inout LineScanner, _ position: Int, _ line: [UInt8], _ store: Storing
  ) -> Bool {
    do {
      let node = try JSONParser.parse(line, at: &scanner.position)
      try store(position, values.value(node, of: table.resolved.properties[position]))
      return true
    } catch {
      // The line is read again, and then it is said what is wrong.
      return false
    }
  }
}

// MARK: - Values

extension RecordReader {
  /// Reads a value; if it is not as usual, the scanner stays where it is.
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
