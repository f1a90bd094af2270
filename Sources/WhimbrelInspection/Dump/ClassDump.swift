internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A writer of the objects of one class.
///
/// Most values are written straight from the bytes of the record, without a `PropertyValue` in
/// between. The exceptions are values of a few types (``ValueForm/other``), values that an older
/// layout stores differently, and overflow.
struct ClassDump {
  private let table: ClassTable
  private let classes: DumpClasses
  private let properties: [CatalogProperty]
  /// The classes that links lead to, by the index of the property.
  private let targets: [DumpTarget?]
  /// The bytes that start each line.
  private let head: [UInt8]

  init(_ table: ClassTable, _ classes: DumpClasses) {
    self.table = table
    self.classes = classes
    properties = table.resolved.properties
    targets = properties.map { classes.target(of: $0.type) }
    head = Self.head(of: table)
  }

  /// Returns the bytes that start the line of each object of a class.
  static func head(of table: ClassTable) -> [UInt8] {
    var writer = JSONWriter()
    writer.append(raw: #"{"class":"#)
    writer.append(table.name)
    writer.append(raw: #","id":"#)
    return writer.bytes
  }

  /// Writes all objects. Large collections are written element by element, to bound memory.
  ///
  /// Objects that are not yet converted are written with their version and its properties.
  func write(to output: inout DumpOutput) throws {
    var known: ResolvedLayout?
    var form = RecordForm(table.resolved.written, of: properties)
    var writer = self
    try table.forEachRecord { id, stored in
      try table.verify(stored, id)
      let (reader, record) = try table.reading(stored, id)
      let layout = try reader.layout(of: record, id)
      if layout !== known {
        known = layout
        writer = reader === table ? self : ClassDump(reader, classes)
        form = RecordForm(layout, of: writer.properties)
      }
      try writer.write(Object(id: id, record: record, layout: layout), form, to: &output)
      try output.flush()
    }
  }

  /// The object that is being written.
  private struct Object {
    let id: ObjectID
    let record: PageBytes
    let layout: ResolvedLayout
  }

  private func write(
    _ object: Object, _ form: RecordForm, to output: inout DumpOutput
  ) throws {
    output.writer.append(raw: head)
    output.writer.append(exact: object.id.rawValue)
    if let version = table.pastVersion {
      output.writer.append(raw: #","version":"#)
      output.writer.append(exact: version)
    }
    output.writer.append(raw: #","values":{"#)
    let (columns, names) = (form.columnView, form.names)
    var nameStart = 0
    for position in 0..<columns.count {
      let column = columns[position]
      output.writer.append(raw: names, nameStart, Int(column.nameEnd))
      nameStart = Int(column.nameEnd)
      let slot = column.slot
      if column.form == .elements {
        if try column.element == .other || !appendInline(position, column, of: object, to: &output)
        {
          try append(position, form.collections[position], of: object, to: &output)
        }
      } else if column.mayBeAbsent, !object.record.hasBit(Int(column.presence)) {
        output.writer.append(raw: "null")
      } else if column.form == .link {
        try append(linkAt: slot.offset, of: object.record, targets[position], to: &output)
      } else if column.form.hasOneSize {
        output.writer.append(column.form, of: object.record, at: slot)
      } else if column.form != .other, let contents = object.record.variable(at: slot) {
        output.writer.append(column.form, contents: contents)
      } else {
        try append(position, of: object, to: &output)
      }
    }
    output.writer.append(raw: "}}\n")
  }

  private func append(
    linkAt offset: Int, of record: PageBytes, _ target: DumpTarget?, to output: inout DumpOutput
  ) throws {
    let id = UInt64(littleEndian: record.load(UInt64.self, at: offset))
    try output.writer.append(linkTo: ObjectID(rawValue: id), target)
  }

  /// Writes the value of a property that is not a collection.
  private func append(
    _ position: Int, of object: Object, to output: inout DumpOutput
  ) throws {
    let value = try table.explaining(object.id) {
      try object.layout.value(position, of: object.record, table.overflow(of: object.id))
    }
    if properties[position].type == .any {
      try table.explainingClasses(of: object.id) { try output.writer.append(any: value, classes) }
    } else {
      try output.writer.append(value, linkingTo: targets[position])
    }
  }
}

// MARK: - Collections

extension ClassDump {
  /// Writes a list or a set that is stored inside the record. Returns false for other collections,
  /// which are then written by `append(_:_:of:to:)`.
  private func appendInline(
    _ position: Int, _ column: RecordForm.Column, of object: Object, to output: inout DumpOutput
  ) throws -> Bool {
    let (slot, form) = (column.slot, column.element)
    return try table.explaining(object.id) {
      let elements = try InlineElements(
        object.record, at: slot, width: Int(column.elementWidth))
      guard let elements else { return false }
      output.writer.append(raw: "[")
      for index in 0..<elements.count {
        if index > 0 { output.writer.append(raw: ",") }
        try append(form, elements.contents(index), targets[position], to: &output)
      }
      output.writer.append(raw: "]")
      return true
    }
  }

  /// Writes an element from its bytes.
  @inline(__always)
  private func append(
    _ form: ValueForm, _ content: PageBytes, _ target: DumpTarget?, to output: inout DumpOutput
  ) throws {
    if form == .link {
      try append(linkAt: 0, of: content, target, to: &output)
    } else if form.hasOneSize {
      output.writer.append(form, of: content, at: RecordSlot(offset: 0, size: content.count))
    } else {
      output.writer.append(form, contents: content)
    }
  }

  /// Writes a collection.
  ///
  /// - Parameter field: The field of the record that holds the elements, or nil if they have to be
  ///   converted.
  private func append(
    _ position: Int, _ field: RecordField?, of object: Object, to output: inout DumpOutput
  ) throws {
    let type = properties[position].type
    guard let element = type.elementType else { return }
    let isMap = type.isMap
    output.writer.append(raw: isMap ? "{" : "[")
    let form = ValueForm(element.type)
    if let field, form != .other {
      try table.explaining(object.id) {
        let reader = try CollectionReader(
          object.record, field, element, table.overflow(of: object.id))
        try appendContents(of: reader, form, targets[position], to: &output)
      }
    } else {
      try appendValues(position, element, of: object.id, to: &output)
    }
    output.writer.append(raw: isMap ? "}" : "]")
  }

  private func appendContents(
    of reader: CollectionReader, _ form: ValueForm, _ target: DumpTarget?,
    to output: inout DumpOutput
  ) throws {
    var isFirst = true
    try reader.forEachContent { name, content in
      if !isFirst { output.writer.append(raw: ",") }
      isFirst = false
      if let name {
        output.writer.append(text: name)
        output.writer.append(raw: ":")
      }
      if let content {
        try append(form, content, target, to: &output)
      } else {
        output.writer.append(raw: "null")
      }
      try output.flush()
    }
  }

  private func appendValues(
    _ position: Int, _ element: ElementType, of id: ObjectID, to output: inout DumpOutput
  ) throws {
    let type = properties[position].type
    let isMap = type.isMap
    var isFirst = true
    try table.explainingClasses(of: id) {
      try table.readCollection(position, of: id) { reader in
        try classes.forEachElement(of: reader, type) { name, value in
          if !isFirst { output.writer.append(raw: ",") }
          isFirst = false
          if isMap {
            output.writer.append(name)
            output.writer.append(raw: ":")
          }
          if element.type == .any {
            try output.writer.append(any: value, classes)
          } else {
            try output.writer.append(value, linkingTo: targets[position])
          }
          try output.flush()
        }
      }
    }
  }
}
