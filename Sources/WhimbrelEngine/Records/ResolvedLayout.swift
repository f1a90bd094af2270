package import WhimbrelLMDB

/// How to read the properties that a class has now from the records of one
/// layout, which may be older.
///
/// It is worked out once for each layout; a read then goes by offset.
@safe
package final class ResolvedLayout: Sendable {
  /// The way to one property.
  package struct Slot: BitwiseCopyable, Sendable {
    package var offset: Int32
    /// The number of the bit that says whether there is a value.
    package var presence: Int32
    package var access: Access
  }

  /// How a property is read.
  package enum Access: UInt8, BitwiseCopyable, Sendable {
    /// The slot has a value of the type wanted.
    case direct
    /// The slot has a value of the type wanted if the bit is set.
    case present
    /// Something else has to be done: see ``ReadConversion``.
    case conversion
  }

  /// The way to a property whose value is not simply stored.
  package enum ReadConversion: Sendable {
    /// The records do not have it: all have this value.
    case filled(PropertyValue)
    /// It is stored as another type, or may be nil where nil is not wanted.
    case converted(RecordField, Conversion, nilBecomes: PropertyValue)
  }

  /// Where a property is written.
  package struct Place: BitwiseCopyable, Sendable {
    /// How many bytes the slot has.
    package var size: UInt8
    /// Whether the slot points to bytes behind the slots.
    package var isVariable: Bool
    /// Whether the slot holds the ID of an object.
    package var isLink: Bool
    /// The values that the property takes as they are.
    package var plain: Plain
    package var offset: Int32
    /// The number of the bit that says whether there is a value, or -1.
    package var presence: Int32
    /// The number of the bit that says whether a migration's code has given a value,
    /// or -1.
    package var assigned: Int32
    /// What stands for the property among the first 64, or 0.
    package var flag: UInt64
  }

  /// A kind of values of which a property takes any.
  package enum Plain: UInt8, BitwiseCopyable, Sendable {
    /// There is none, or values have to be looked at.
    case none
    case bool, int, double, text, data
  }

  package let layout: RecordLayout
  /// By the position of the property in its class.
  package let slots: [Slot]
  /// The same, for reading without counting references.
  private let slotArray: StaticArray<Slot>
  package var slotView: StaticArray<Slot>.View { slotArray.view }
  private let placeArray: StaticArray<Place>
  /// Where the properties are written, by their positions in the class; only the layout
  /// that is written has them all.
  var places: StaticArray<Place>.View { placeArray.view }
  /// The slots that point to bytes behind the slots, and the positions of their fields in
  /// the layout.
  private let pointerArray: StaticArray<Pointer>
  var pointers: StaticArray<Pointer>.View { pointerArray.view }

  /// Whether bytes of a record of this layout are among the overflow.
  func hasBytesOutside(_ record: PageBytes) -> Bool {
    let pointers = pointers
    for number in 0..<pointers.count where record.isExternal(at: pointers[number].offset) {
      return true
    }
    return false
  }

  struct Pointer: BitwiseCopyable, Sendable {
    var offset: Int
    var field: Int
  }

  /// The bits that say whether a migration's code has given values.
  private let assignedBits: StaticArray<Int>
  let readConversions: [Int: ReadConversion]
  /// By the position of the property in its class.
  let fields: [RecordField?]

  /// - Parameter properties: the properties of the class, in its order.
  package init(_ layout: RecordLayout, for properties: [CatalogProperty]) {
    self.layout = layout
    var slots: [Slot] = []
    var readConversions: [Int: ReadConversion] = [:]
    var fields: [RecordField?] = []
    for (index, property) in properties.enumerated() {
      let field =
        layout.fields.first { $0.property == property.id }
        ?? layout.fields.first { $0.property == property.source }
      var slot = Slot(offset: 0, presence: -1, access: .conversion)
      if let field {
        slot.offset = Int32(field.offset)
        slot.presence = Int32(field.presence ?? -1)
        // An optional value read as a required one may be nil all the same: it
        // then gives what nil became when the property was made required.
        let mayMeetNil = field.presence != nil && !property.isOptional
        let conversion = Conversion.lossless(from: field.type, to: property.type) ?? .identity
        if field.type.hasSameStorage(as: property.type), !mayMeetNil {
          slot.access = field.presence == nil ? .direct : .present
        } else {
          // What may be nil stays nil, whatever its default.
          readConversions[index] = .converted(
            field, conversion, nilBecomes: property.isOptional ? .null : property.nilFill)
        }
        fields.append(field.type.hasSameStorage(as: property.type) ? field : nil)
      } else {
        readConversions[index] = .filled(property.fill)
        fields.append(nil)
      }
      slots.append(slot)
    }
    self.slots = slots
    slotArray = StaticArray(slots)
    self.readConversions = readConversions
    self.fields = fields
    pointerArray = StaticArray(
      layout.fields.indices.filter { layout.fields[$0].type.isVariable }
        .map { Pointer(offset: layout.fields[$0].offset, field: $0) })
    assignedBits = StaticArray(layout.fields.compactMap(\.assigned))
    placeArray = StaticArray(properties.indices.map { Place(fields[$0], properties[$0], $0) })
  }
}

extension ResolvedLayout.Place {
  fileprivate init(_ field: RecordField?, _ property: CatalogProperty, _ position: Int) {
    let plain: ResolvedLayout.Plain =
      switch property.type {
      case _ where property.cases != nil: .none
      case .bool: .bool
      case .int: .int
      case .double: .double
      case .string: .text
      case .data: .data
      default: .none
      }
    self.init(
      size: UInt8(property.type.slotSize), isVariable: property.type.isVariable,
      isLink: property.type.linkTarget != nil, plain: plain, offset: Int32(field?.offset ?? 0),
      presence: Int32(field?.presence ?? -1),
      assigned: Int32(field?.assigned ?? -1), flag: position < 64 ? 1 << UInt64(position) : 0)
  }
}

extension PropertyType {
  /// Whether values of both types are the same bytes: links are, whatever they
  /// lead to, and so are collections of links.
  func hasSameStorage(as other: PropertyType) -> Bool {
    if self == other { return true }
    return switch (self, other) {
    case (.link, .link): true
    case (.list(let left), .list(let right)), (.set(let left), .set(let right)),
      (.map(let left), .map(let right)):
      left.isOptional == right.isOptional && left.type.hasSameStorage(as: right.type)
    default: false
    }
  }
}

extension ResolvedLayout {
  /// The value of a property of a record, whatever its type.
  ///
  /// - Parameter overflow: what of the object lies outside of the record.
  /// - Throws: ``DamagedRecord``.
  package func value(
    _ index: Int, of record: PageBytes, _ overflow: Overflow
  ) throws -> PropertyValue {
    let slot = slots[index]
    if slot.access == .present, !record.hasBit(Int(slot.presence)) { return .null }
    if slot.access != .conversion, let field = fields[index] {
      return try record.value(field, overflow)
    }
    return try converted(index, of: record, overflow)
  }

  /// The value of a property, if it is of a plain kind and the record has it.
  func plainValue(_ index: Int, of record: PageBytes) -> PropertyValue? {
    plainReader.value(index, of: record)
  }

  /// What reads plain values. It must not outlive the layout.
  var plainReader: PlainReader { PlainReader(slots: slotView, places: places) }

  /// Where a link leads, as far as the bytes of the record alone say.
  enum PlainLink {
    /// Nowhere.
    case none
    case object(ObjectID)
    /// The value has to be read.
    case unknown
  }

  /// Where a property leads, if it is a link.
  @inline(__always)
  func plainLink(_ index: Int, of record: PageBytes) -> PlainLink {
    let slot = slotView[index]
    guard slot.access != .conversion, places[index].isLink else { return .unknown }
    if slot.access == .present, !record.hasBit(Int(slot.presence)) { return .none }
    let word = record.load(UInt64.self, at: Int(slot.offset))
    return .object(ObjectID(rawValue: UInt64(littleEndian: word)))
  }

  /// The value of a property that is not simply stored.
  private func converted(
    _ index: Int, of record: PageBytes, _ overflow: Overflow
  ) throws -> PropertyValue {
    switch readConversions[index] {
    case .filled(let value):
      return value
    case .converted(let field, let conversion, let nilBecomes):
      if let presence = field.presence, !record.hasBit(presence) { return nilBecomes }
      return conversion.apply(try record.value(field, overflow)) ?? .null
    case nil:
      return .null
    }
  }

  /// Whether a migration's code has still to give some property a value.
  func lacksAssignment(_ record: PageBytes) -> Bool {
    let bits = assignedBits.view
    for number in 0..<bits.count where !record.hasBit(bits[number]) { return true }
    return false
  }

  /// Whether a migration's code has given the property a value, as far as that
  /// is recorded.
  package func isAssigned(_ index: Int, of record: PageBytes) -> Bool {
    let assigned = places[index].assigned
    return assigned < 0 || record.hasBit(Int(assigned))
  }
}

extension PageBytes {
  /// The layout that a record says it has.
  @inline(__always)
  package var layoutID: LayoutID {
    LayoutID(rawValue: UInt16(littleEndian: load(UInt16.self, at: 0)))
  }

  /// The bytes that a slot points to, or nil when they lie outside of the record.
  package func variable(at offset: Int) -> PageBytes? {
    let start = UInt32(littleEndian: load(UInt32.self, at: offset))
    let length = UInt32(littleEndian: load(UInt32.self, at: offset + 4))
    return slice(at: Int(start), count: Int(length))
  }
}
