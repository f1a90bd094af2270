package import WhimbrelLMDB

/// The access paths to the current properties of a class in the records of one layout, which can be
/// an older one.
///
/// The paths are resolved once per layout, so that a read is a load at an offset.
@safe
package final class ResolvedLayout: Sendable {
  /// The slot that one property is read from.
  package struct Slot: BitwiseCopyable, Sendable {
    package var place: RecordSlot
    /// The number of the bit that is set if there is a value, or -1.
    package var presence: Int32
    package var access: Access
    /// The size of an element in bytes if this is a collection whose elements have one size,
    /// otherwise 0.
    package var elementWidth: UInt8 = 0

    /// The offset in the record, in bytes.
    @inline(__always)
    package var offset: Int { place.offset }
  }

  /// The way in which a property is read.
  package enum Access: UInt8, BitwiseCopyable, Sendable {
    /// The slot always has a value of the property's type.
    case direct
    /// The slot has a value of the property's type if the presence bit is set.
    case present
    /// The value needs a ``ReadConversion``.
    case conversion
  }

  /// The source of a value that cannot be read directly.
  package enum ReadConversion: Sendable {
    /// The records lack the property: all objects have this value.
    case filled(PropertyValue)
    /// The value is stored as another type, or can be nil although the property is not optional.
    case converted(RecordField, Conversion, nilBecomes: PropertyValue)
  }

  /// The slot that one property is written to.
  package struct Place: BitwiseCopyable, Sendable {
    package var slot: RecordSlot
    /// Whether the slot points to bytes after the slots.
    package var isVariable: Bool
    /// Whether the slot holds a whole number of 64 bits, or points to one.
    package var isInt: Bool
    package var isLink: Bool
    /// The plain kind of values that the property accepts.
    package var plain: Plain
    /// The number of the bit that is set if there is a value, or -1.
    package var presence: Int32
    /// The number of the bit that is set once a migration block has set a value, or -1.
    package var assigned: Int32
    /// The bit of the property in sets of the first 64 properties, or 0 for later ones.
    package var flag: UInt64

    /// Whether bits of the record tell about the value.
    var hasBits: Bool { presence >= 0 || assigned >= 0 }
  }

  /// A kind of value that is stored without checks.
  package enum Plain: UInt8, BitwiseCopyable, Sendable {
    /// No kind: values must be checked or encoded.
    case none
    case bool, int, double, text, data
  }

  package let layout: RecordLayout
  /// The slots to read, by the position of the property in its class.
  package let slots: [Slot]
  /// The same slots, for reading without reference counting.
  private let slotArray: StaticArray<Slot>
  package var slotView: StaticArray<Slot>.View { slotArray.view }
  private let placeArray: StaticArray<Place>
  /// The slots to write, by the position of the property in its class. Only the written layout has
  /// a slot for every property.
  var places: StaticArray<Place>.View { placeArray.view }
  /// The slots that point to bytes after the slots.
  private let pointerArray: StaticArray<Pointer>
  var pointers: StaticArray<Pointer>.View { pointerArray.view }

  /// Returns whether two records of this layout have the same value of a property in the same bytes.
  /// It may have the same value if not.
  func hasSameBytes(_ position: Int, in record: PageBytes, _ other: PageBytes) -> Bool {
    let place = places[position]
    guard place.slot.size > 0, slotView[position].access != .conversion else { return false }
    if place.presence >= 0 {
      let hasValue = record.hasBit(Int(place.presence))
      guard hasValue == other.hasBit(Int(place.presence)) else { return false }
      if !hasValue { return true }
    }
    if place.isInt { return record.int(at: place.slot) == other.int(at: place.slot) }
    let (offset, size) = (place.slot.offset, Int(place.slot.size))
    let bytes =
      place.isVariable ? record.variable(at: place.slot) : record.slice(at: offset, count: size)
    let others =
      place.isVariable ? other.variable(at: place.slot) : other.slice(at: offset, count: size)
    guard let bytes, let others else { return false }
    return bytes.isEqual(to: others)
  }

  /// Returns whether a record of this layout has values in the overflow.
  func hasOverflow(_ record: PageBytes) -> Bool {
    let pointers = pointers
    for number in 0..<pointers.count where record.isExternal(at: pointers[number].slot) {
      return true
    }
    return false
  }

  /// The compact slots of whole numbers, which can point to bytes after the slots.
  private let intArray: StaticArray<RecordSlot>
  var compactInts: StaticArray<RecordSlot>.View { intArray.view }

  struct Pointer: BitwiseCopyable, Sendable {
    var slot: RecordSlot
    var field: Int
  }

  /// The numbers of the bits that are set once a migration block has set a value.
  private let assignedBits: StaticArray<Int>
  let readConversions: [Int: ReadConversion]
  /// The fields that store the property's type, by the position of the property in its class.
  let fields: [RecordField?]

  /// - Parameter properties: The properties of the class, in its order.
  package init(_ layout: RecordLayout, for properties: [CatalogProperty]) {
    self.layout = layout
    var slots: [Slot] = []
    var readConversions: [Int: ReadConversion] = [:]
    var fields: [RecordField?] = []
    for (index, property) in properties.enumerated() {
      let field =
        layout.fields.first { $0.property == property.id }
        ?? layout.fields.first { $0.property == property.source }
      var slot = Slot(
        place: RecordSlot(offset: 0, size: 0), presence: -1, access: .conversion)
      if let element = property.type.elementType {
        let isMap = if case .map = property.type { true } else { false }
        let coding = ElementCoding(element, isMap: isMap)
        slot.elementWidth = UInt8(clamping: coding.format.width)
      }
      if let field {
        slot.place = field.slot
        slot.presence = Int32(field.presence ?? -1)
        // In records from before a property became required, its value can be nil. It then has the
        // value that replaced nil in that migration.
        let mayMeetNil = field.presence != nil && !property.isOptional
        let conversion = Conversion.lossless(from: field.type, to: property.type) ?? .identity
        if field.type.hasSameStorage(as: property.type), !mayMeetNil {
          slot.access = field.presence == nil ? .direct : .present
        } else {
          // A nil stays nil in an optional property, regardless of its default.
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
        .map { Pointer(slot: layout.fields[$0].slot, field: $0) })
    intArray = StaticArray(
      layout.fields.filter { $0.type == .int && $0.slot.size == RecordSlot.compactIntSize }
        .map(\.slot))
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
      slot: field?.slot ?? RecordSlot(offset: 0, size: 0),
      isVariable: property.type.isVariable, isInt: property.type == .int,
      isLink: property.type.linkTarget != nil, plain: plain,
      presence: Int32(field?.presence ?? -1),
      assigned: Int32(field?.assigned ?? -1), flag: position < 64 ? 1 << UInt64(position) : 0)
  }
}

extension PropertyType {
  /// Returns whether values of both types have the same bytes. All links do, whatever their class,
  /// and so do collections of links.
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
  /// The layout for rows, which read it without counting references.
  package var view: View {
    unsafe View(
      unsafeLayout: .passUnretained(self), slots: slotView, id: layout.id.rawValue,
      fixedSize: layout.fixedSize)
  }

  /// A view of a layout. It must not outlive the layout.
  // Safe: a table keeps its layouts, and whatever uses a table keeps its session.
  @safe
  package struct View {
    @safe package let unsafeLayout: Unmanaged<ResolvedLayout>
    package let slots: StaticArray<Slot>.View
    /// The raw value of the layout's ID.
    package let id: UInt16
    /// The size of the records up to the end of the slots, in bytes.
    package let fixedSize: Int

    /// Returns whether a record has the layout, and is long enough for it.
    @inline(__always)
    package func fits(_ record: PageBytes) -> Bool {
      // Compares raw values, because an operator of another module is not inlined.
      record.count >= 8 && record.layoutID.rawValue == id && record.count >= fixedSize
    }

    fileprivate init(
      unsafeLayout: Unmanaged<ResolvedLayout>, slots: StaticArray<Slot>.View, id: UInt16,
      fixedSize: Int
    ) {
      unsafe self.unsafeLayout = unsafeLayout
      (self.slots, self.id, self.fixedSize) = (slots, id, fixedSize)
    }
  }
}

extension ResolvedLayout {
  /// Returns the value of a property of any type.
  ///
  /// - Parameter overflow: The overflow of the object.
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

  /// Returns the value of a property, or nil unless it is plain and in the record.
  func plainValue(_ index: Int, of record: PageBytes) -> PropertyValue? {
    plainReader.value(index, of: record)
  }

  /// The reader of plain values. It must not outlive the layout.
  var plainReader: PlainReader { PlainReader(slots: slotView, places: places) }

  /// The target of a link, as far as the record alone shows it.
  enum PlainLink {
    /// The link is nil.
    case none
    case object(ObjectID)
    /// The value is not a plain link and must be read in another way.
    case unknown
  }

  /// Returns the target of a property if it is a link.
  @inline(__always)
  func plainLink(_ index: Int, of record: PageBytes) -> PlainLink {
    let slot = slotView[index]
    guard slot.access != .conversion, places[index].isLink else { return .unknown }
    if slot.access == .present, !record.hasBit(Int(slot.presence)) { return .none }
    let word = record.load(UInt64.self, at: slot.offset)
    return .object(ObjectID(rawValue: UInt64(littleEndian: word)))
  }

  /// Returns the value of a property that needs a conversion.
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

  /// Returns whether a migration block must still set some property of a record.
  func lacksAssignment(_ record: PageBytes) -> Bool {
    let bits = assignedBits.view
    for number in 0..<bits.count where !record.hasBit(bits[number]) { return true }
    return false
  }

  /// Returns whether a migration block has set a property. Properties without an assigned bit count
  /// as set.
  package func isAssigned(_ index: Int, of record: PageBytes) -> Bool {
    let assigned = places[index].assigned
    return assigned < 0 || record.hasBit(Int(assigned))
  }
}

extension PageBytes {
  /// The layout ID at the start of a record.
  @inline(__always)
  package var layoutID: LayoutID {
    LayoutID(rawValue: UInt16(littleEndian: load(UInt16.self, at: 0)))
  }
}
