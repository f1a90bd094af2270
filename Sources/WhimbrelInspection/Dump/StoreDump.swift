internal import Foundation
internal import WhimbrelEngine

/// Writes everything that is in a store as text, one JSON object a line, from
/// which ``StoreLoad`` makes the store again.
///
/// The same store gives the same bytes, and so does the store that is loaded
/// from them: a dump of that is the same dump. What a dump leaves out is how the
/// file lays things out: pages, layouts, generations, numbers of classes and
/// properties, and which library wrote last.
///
/// **The first line** is the header, in this order:
///
/// | member | what |
/// |---|---|
/// | `whimbrel` | `"dump"` |
/// | `version` | of this format: 2; see below for version 1 |
/// | `uuid` | the identity of the store |
/// | `created` | when it was made, a date as below |
/// | `schema` | the schema version and the classes, see ``SchemaExport``; classes that the app no longer declares have `"declared":false` |
/// | `objectIDs` | for each class its name, `class`, the number of its `objects`, the ID given out `next`, and `"areKeys":true` if the IDs are the integer primary keys with the sign bit flipped |
/// | `history` | the migrations: `from`, `to`, `date`, `library`, `duration` in seconds, `objects`, `changes`, and `marks` of `text` and `count` if there are any |
///
/// **Each other line** is an object, class by class in the order of their names,
/// and in a class by ID. The values stand in the order in which the properties
/// are declared:
///
/// ```json
/// {"class":"Zone","id":17,"values":{"identifier":"Europe/Andorra","latitude":42.5,"country":{"key":"AD"},"comments":null}}
/// ```
///
/// Values are without loss:
///
/// | type | JSON |
/// |---|---|
/// | `bool` | `true`, `false` |
/// | whole numbers | a number; beyond ±2⁵³ a string of all digits, `"9007199254740993"`, object IDs too: readers as JavaScript and `jq` would round a number |
/// | `float`, `double` | the shortest number that leads back to the same bits; `"nan"`, `"nan:7ff8000000000001"` (its bits), `"inf"`, `"-inf"`, `"-0"` |
/// | `string` | a string; quotes, backslashes and controls are escaped |
/// | `data` | a string in base 64 |
/// | `date` | ISO 8601 with as many decimals as it takes, `"2025-05-01T12:30:00.25Z"`; where there is no such text without loss, a `double` as above: seconds since 2001-01-01 00:00 UTC |
/// | `uuid` | a string |
/// | `decimal` | a string with all digits, `"1.5"`; `"nan"` |
/// | `objectId` | a string of 24 hexadecimal digits |
/// | link | `{"key":"AD"}`: the primary key of the object, as its type is; `{"link":3}`: its ID, where the class has no primary key |
/// | list | an array of the elements, each as its type is |
/// | set | the same, in the order of the store; who writes dumps may give the elements in any order, and more than once |
/// | map | an object, its members in the order of the UTF-8 of their names, in Unicode's normal form C |
/// | `any` | an object with one member, the kind of the value: see below |
/// | nil | `null` |
///
/// A value of any type is `null`, or says its kind, so that nothing has to be
/// guessed: `{"bool":true}`, `{"int":5}`, `{"float":0.5}`, `{"double":0.5}`,
/// `{"string":"x"}`, `{"data":"AAEC"}`, `{"date":"2025-05-01T12:30:00Z"}`,
/// `{"uuid":"…"}`, `{"decimal":"1.5"}`, `{"objectId":"…"}`, with the value as in
/// the table; `{"list":[{"int":5},null]}` and `{"map":{"a":{"int":5}}}`, whose
/// elements are of any type again, up to 100 levels deep; and
/// `{"object":{"class":"Country","key":"AD"}}`, an object of that class, or with `"link":17`
/// where it has no primary key.
///
/// Embedded objects have lines like all others.
///
/// **Versions.** In version 1 links were `{"link":3}` for all classes, and all whole numbers were
/// numbers. ``StoreLoad`` and ``StoreMerge`` read both, and take either form of links and of large
/// numbers in version 2: who writes a dump by hand may use what is easier. A version that is not known is refused.
public struct StoreDump {
  let inspector: StoreInspector
  let options: Options

  /// Dumps the store of an inspector.
  ///
  /// - Parameter options: which of its objects; the default is all.
  public init(_ inspector: StoreInspector, _ options: Options = Options()) {
    self.inspector = inspector
    self.options = options
  }

  /// Writes the dump piece by piece, in memory for one value of a property, or one
  /// element of a collection.
  ///
  /// - Parameter write: is given the text as UTF-8, in pieces of some 64 KiB that
  ///   end between two values.
  /// - Throws: `StoreError` for a damaged object; the text until there has been
  ///   written then. ``InspectionError`` with `badSelection` or `linkLeadsOut`, and what
  ///   `write` throws.
  /// - Complexity: O(*n*).
  public func write(_ write: ([UInt8]) throws -> Void) throws {
    try withoutActuallyEscaping(write) { write in
      var output = DumpOutput(write)
      try inspector.explaining {
        guard options.isWhole else { return try writeSelection(to: &output) }
        output.writer.append(raw: try header(nil).line())
        output.writer.append(raw: "\n")
        try output.flush(atLeast: 1)
        let tables = inspector.tables
        let classes = DumpClasses(tables)
        for table in tables { try ClassDump(table, classes).write(to: &output) }
        try output.flush(atLeast: 1)
      }
    }
  }

  /// Writes the dump to a stream of text, piece by piece.
  ///
  /// - Throws: `StoreError` for a damaged object.
  public func write(to stream: inout some TextOutputStream) throws {
    try write { stream.write(String(decoding: $0, as: UTF8.self)) }
  }
}

extension StoreDump {
  /// - Parameter subset: the objects that are counted, or nil for all.
  func header(_ subset: DumpSubset?) throws -> DumpHeader {
    DumpHeader(
      whimbrel: DumpHeader.kind, version: DumpHeader.currentVersion, uuid: inspector.header.uuid,
      created: inspector.header.creation, schema: inspector.schema,
      objectIDs: try inspector.tables.map { table in
        DumpHeader.ClassObjectIDs(
          className: table.name, objects: try subset?.count(of: table) ?? table.count(),
          next: try Self.next(in: table),
          areKeys: table.resolved.isClustered ? true : nil)
      },
      history: inspector.catalog.history)
  }

  /// The next object ID. A class that has been given none says so only once it
  /// has objects.
  private static func next(in table: ClassTable) throws -> UInt64? {
    if let stored = try table.nextObjectIDInFile() { return stored }
    if table.resolved.isClustered { return nil }
    guard let last = try table.lastObjectID(), last.rawValue < .max else { return 1 }
    return last.rawValue + 1
  }
}

extension StoreDump {
  /// Writes a part of the store.
  func writeSelection(to output: inout DumpOutput) throws {
    let subset = try DumpSubset(options, in: inspector.session)
    output.writer.append(raw: try header(subset).line())
    output.writer.append(raw: "\n")
    try output.flush(atLeast: 1)
    let tables = inspector.tables
    let classes = DumpClasses(tables)
    for table in tables {
      let line = ObjectLine(table, classes, subset)
      try subset.forEachRecord(of: table) { id, record in
        try line.append(id, record, to: &output.writer)
        try output.flush()
      }
    }
    try output.flush(atLeast: 1)
  }
}
