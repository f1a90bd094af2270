internal import Foundation
internal import WhimbrelEngine

/// A dump of a store as text with one JSON object per line. ``StoreLoad`` creates the store from
/// it.
///
/// The same store always gives the same bytes, and a dump of the loaded store is the same dump. A
/// dump does not contain how the file lays data out: pages, layouts, generations, numbers of
/// classes and properties, and the library version that wrote last.
///
/// **The first line** is the header. Its members stand in this order:
///
/// | member | content |
/// |---|---|
/// | `whimbrel` | `"dump"` |
/// | `version` | the version of this format: 2; see below for version 1 |
/// | `uuid` | the identity of the store |
/// | `created` | the date when the store was created, as below |
/// | `schema` | the schema version and the classes, see ``SchemaExport``; classes that the app no longer declares have `"declared":false` |
/// | `objectIDs` | for each class its name `class`, its number of `objects`, its `next` object ID, and `"areKeys":true` if the IDs are the integer primary keys with the sign bit flipped |
/// | `history` | the migrations: `from`, `to`, `date`, `library`, `duration` in seconds, `objects`, `changes`, and `marks` of `text` and `count` if there are any |
///
/// **Each other line** is an object. Lines are sorted by class name, then by object ID. The values
/// stand in the order in which the properties are declared:
///
/// ```json
/// {"class":"Zone","id":17,"values":{"identifier":"Europe/Andorra","latitude":42.5,"country":{"key":"AD"},"comments":null}}
/// ```
///
/// Values are written without loss:
///
/// | type | JSON |
/// |---|---|
/// | `bool` | `true`, `false` |
/// | integers | a number; beyond ±2⁵³ a string with all digits, `"9007199254740993"`, because JavaScript and `jq` would round a number; object IDs too |
/// | `float`, `double` | the shortest number that reads back as the same bits; `"nan"`, `"nan:7ff8000000000001"` (its bits), `"inf"`, `"-inf"`, `"-0"` |
/// | `string` | a string; quotes, backslashes and control characters are escaped |
/// | `data` | a string in base 64 |
/// | `date` | ISO 8601 with as many decimals as needed, `"2025-05-01T12:30:00.25Z"`; a date that this text cannot express exactly is a `double` as above: seconds since 2001-01-01 00:00 UTC |
/// | `uuid` | a string |
/// | `decimal` | a string with all digits, `"1.5"`; `"nan"` |
/// | `objectId` | a string of 24 hexadecimal digits |
/// | link | `{"key":"AD"}`: the primary key of the object, written according to its type; `{"link":3}`: the object ID, if the class has no primary key |
/// | list | an array of the elements, each written according to its type |
/// | set | an array of the elements in the order of the store; a dump written by hand may list them in any order, and more than once |
/// | map | an object with its members in the order of their UTF-8 names, in Unicode's normalization form C |
/// | `any` | an object with one member, the kind of the value: see below |
/// | nil | `null` |
///
/// A value of any type is `null` or names its kind, so that readers need not guess:
/// `{"bool":true}`, `{"int":5}`, `{"float":0.5}`, `{"double":0.5}`, `{"string":"x"}`,
/// `{"data":"AAEC"}`, `{"date":"2025-05-01T12:30:00Z"}`, `{"uuid":"…"}`, `{"decimal":"1.5"}`,
/// `{"objectId":"…"}`, with the value as in the table; `{"list":[{"int":5},null]}` and
/// `{"map":{"a":{"int":5}}}`, whose elements are of any type again, up to 100 levels deep; and
/// `{"object":{"class":"Country","key":"AD"}}`, an object of that class, or with `"link":17` if the
/// class has no primary key.
///
/// Embedded objects have lines of their own.
///
/// While an online migration lasts, an object that is not yet converted has its `version` before its
/// values, and the properties of that version under their names of then:
/// `{"class":"Reading","id":3,"version":1,"values":{"raw":0.5}}`. ``StoreLoad`` and ``StoreMerge``
/// refuse such a line: only the app has the rule that converts the object.
///
/// **Versions.** In version 1 all links were `{"link":3}`, and all integers were numbers.
/// ``StoreLoad`` and ``StoreMerge`` read both versions, and accept both forms of links and of large
/// integers in version 2: a dump written by hand may use the easier one. They refuse an unknown
/// version.
public struct StoreDump {
  let inspector: StoreInspector
  let options: Options

  /// Creates a dump of the store of an inspector.
  ///
  /// - Parameter options: The objects to dump. The default is all.
  public init(_ inspector: StoreInspector, _ options: Options = Options()) {
    self.inspector = inspector
    self.options = options
  }

  /// Writes the dump in chunks. Memory: one value of a property, or one element of a collection.
  ///
  /// - Parameter write: Receives the text as UTF-8, in chunks of about 64 KiB that end between two
  ///   values.
  /// - Throws: `StoreError` for a damaged object, after the text before it has been written.
  ///   ``InspectionError`` with `badSelection` or `linkLeadsOut`, and what `write` throws.
  /// - Complexity: O(*n*).
  public func write(_ write: ([UInt8]) throws -> Void) throws {
    try withoutActuallyEscaping(write) { write in
      var output = DumpOutput(write)
      try inspector.explaining {
        let subset = options.isWhole ? nil : try DumpSubset(options, in: inspector.session)
        output.writer.append(raw: try header(subset).line())
        output.writer.append(raw: "\n")
        try output.flush(atLeast: 1)
        let tables = inspector.tables
        let classes = DumpClasses(tables)
        for table in tables {
          if let subset {
            try self.write(subset, of: table, classes, to: &output)
          } else {
            try ClassDump(table, classes).write(to: &output)
          }
        }
        try output.flush(atLeast: 1)
      }
    }
  }

  /// Writes the dump to a text stream, in chunks.
  ///
  /// - Throws: `StoreError` for a damaged object.
  public func write(to stream: inout some TextOutputStream) throws {
    try write { stream.write(String(decoding: $0, as: UTF8.self)) }
  }
}

extension StoreDump {
  private func write(
    _ subset: DumpSubset, of table: ClassTable, _ classes: DumpClasses, to output: inout DumpOutput
  ) throws {
    let line = ObjectLine(table, classes, subset)
    try subset.forEachRecord(of: table) { id, record in
      try line.append(id, record, to: &output.writer)
      try output.flush()
    }
  }

  /// Returns the header.
  ///
  /// - Parameter subset: The objects to count, or nil for all.
  func header(_ subset: DumpSubset?) throws -> DumpHeader {
    DumpHeader(
      whimbrel: DumpHeader.kind, version: DumpHeader.currentVersion, uuid: inspector.header.uuid,
      created: inspector.header.creation, schema: inspector.schema,
      objectIDs: try inspector.tables.map { table in
        DumpHeader.ClassObjectIDs(
          className: table.name, objects: try subset?.count(of: table) ?? table.count(),
          next: try Self.next(in: table).map(ObjectID.init(rawValue:)),
          areKeys: table.resolved.isClustered ? true : nil)
      },
      history: inspector.catalog.history)
  }

  /// Returns the next object ID of a class, or nil if its object IDs are its primary keys.
  ///
  /// The file stores the next ID only for classes that have had objects; the default is 1.
  private static func next(in table: ClassTable) throws -> UInt64? {
    if let stored = try table.nextObjectIDInFile() { return stored }
    if table.resolved.isClustered { return nil }
    guard let last = try table.lastObjectID(), last.rawValue < .max else { return 1 }
    return last.rawValue + 1
  }
}
