internal import Synchronization
internal import WhimbrelLMDB

/// The converters of a file in transition for the objects that one session, or one core of a scan,
/// reads.
package final class Conversions {
  /// The source, from which other cores make their own conversions.
  let source: ConversionsSource
  /// The epoch of the session, or nil for a core of a scan, whose snapshot does not change.
  private let clock: Counter?
  private var epoch: UInt64 = 0
  private var classes: [ClassID: Converting] = [:]
  /// The blocks that another core converts for loops of the session: see ``ConversionAhead``.
  var blocks: [ConversionBlock] = []
  /// The class of the object that was converted last.
  // Safe: one object is converted at a time.
  @safe @exclusivity(unchecked) private var last: (id: ClassID, converting: Converting)?

  private final class Converting {
    let converter: ObjectConverter
    let records = ConvertedRecords()

    init(_ converter: ObjectConverter) { self.converter = converter }
  }

  init(_ source: ConversionsSource, clock: Counter?) {
    self.source = source
    self.clock = clock
  }

  /// Stops the other cores that convert for loops of the session.
  func endBlocks() { for block in blocks { block.end() } }

  /// The number of objects converted in memory so far. Scans of several cores count, too.
  var objectCount: Int { source.count.value }

  /// Returns whether all rules that the objects of a class need are available.
  func canConvert(_ entry: CatalogClass) -> Bool {
    entry.transition?.shapes.allSatisfy { shape in
      !shape.hasRule || source.rules.rule(from: shape.version, of: shape.name) != nil
    } ?? true
  }

  private func converting(_ id: ClassID) throws -> Converting {
    if let last, last.id == id { return last.converting }
    if let known = classes[id] {
      last = (id, known)
      return known
    }
    let loaded = source.loaded
    guard let entry = loaded[id]?.entry else {
      throw StoreError.unknownClass(
        class: "\(id.rawValue)", known: loaded.catalog.classes.map(\.name))
    }
    let made = Converting(
      try ObjectConverter(entry, in: source.file, loaded, by: source.rules))
    classes[id] = made
    return made
  }

  /// Returns the converter for writing objects of a class.
  func converter(of id: ClassID) throws -> ObjectConverter { try converting(id).converter }

  /// Returns the record of an object in the current shape of its class. It is valid as long as the
  /// epoch of the session.
  ///
  /// - Parameters:
  ///   - record: The stored record, which is sound and not yet converted.
  ///   - stored: The stored overflow of the object.
  func record(
    _ record: PageBytes, _ id: ObjectID, of classID: ClassID, _ stored: @autoclosure () -> Overflow
  ) throws -> PageBytes {
    forgetIfVoid()
    let converting = try converting(classID)
    if let known = converting.records.record(id) { return known }
    let converted = try converting.converter.convert(record, id, stored())
    source.count.add()
    let (kept, turns) = try converting.records.keep(converted, id)
    if turns, let clock {
      // The bytes of the older half are reused next.
      clock.value &+= 1
      epoch = clock.value
    }
    return kept
  }

  /// Returns the overflow of an object, given its stored overflow.
  func overflow(of id: ObjectID, of classID: ClassID, over stored: Overflow) -> Overflow {
    forgetIfVoid()
    guard let pending = classes[classID]?.records.pending(id) else { return stored }
    return Overflow(pending, over: stored)
  }

  /// Forgets the objects that were converted in an earlier epoch.
  private func forgetIfVoid() {
    guard let clock, clock.value != epoch else { return }
    epoch = clock.value
    for entry in classes.values { entry.records.removeAll() }
  }
}

/// The source from which a session and the cores of its scans make their own ``Conversions``.
struct ConversionsSource: Sendable {
  let file: StoreFile
  let loaded: LoadedCatalog
  let rules: RuleBook
  fileprivate let count = ConversionCount()

  func make(_ clock: Counter? = nil) -> Conversions { Conversions(self, clock: clock) }
}

/// A counter of conversions on several cores.
final class ConversionCount: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .relaxed) }

  func add() { number.wrappingAdd(1, ordering: .relaxed) }
}
