internal import WhimbrelLMDB

/// A search for the salts of a file whose catalog is lost, by trying all of them on some records, and
/// for the form of its slots.
///
/// The catalog comes from another store, whose salts are others unless it is a copy. All classes
/// that a store gets in format 6 or later have the same salt, so that one record is enough to find
/// it. One of both stores may be older than format 8, which has compact slots.
struct SaltSearch {
  /// A record that may be of a class, by its layout.
  private struct Sample {
    let id: ObjectID
    let record: [UInt8]

    func fits(_ entry: ResolvedClass, _ salt: ChecksumSalt) -> Bool {
      PageBytes.with(record) { entry.hasChecksum($0, id, salt: salt) }
    }
  }

  private let classes: [ResolvedClass]
  /// The current layouts of the classes with slots of the other form, or nil where there is none.
  private let otherForms: [RecordLayout?]
  /// The smallest records that may be of a class, by the class's position.
  private var samples: [[Sample]]
  /// The salts found, those of the catalog first.
  private var known: [ChecksumSalt]

  /// The number of records that are kept for a class.
  private static let samplesPerClass = 8

  private init(_ catalog: Catalog) {
    classes = catalog.classes.map { ResolvedClass($0) }
    otherForms = catalog.classes.map(\.layoutOfOtherForm)
    samples = classes.map { _ in [] }
    known = Array(Set(catalog.classes.map(\.salt) + [.none])).sorted { $0.rawValue > $1.rawValue }
  }

  /// Returns a catalog of another store with the salts and the slots of a file. A class of which no
  /// record shows its salt keeps that of the catalog.
  static func catalog(
    _ catalog: Catalog, withSaltsOf file: SalvagedPages, _ progress: Salvage.Progress
  ) throws -> Catalog {
    var search = SaltSearch(catalog)
    try search.collect(from: file, progress) { $0.add($1, $2, at: $3) }
    var salts = search.salts(of: Array(catalog.classes.indices))
    // What is as small as eight records of other classes is found by the salts of those.
    let open = catalog.classes.indices.filter { salts[$0] == nil }
    if !open.isEmpty {
      for position in open { search.samples[position] = [] }
      try search.collect(from: file, progress) { search, record, id, position in
        if salts[position] == nil { search.addFitting(record, id, at: position) }
      }
      salts.merge(search.salts(of: open)) { first, _ in first }
    }
    var catalog = catalog
    for (position, salt) in salts {
      catalog.classes[position].salt = salt
      if let layout = search.layoutOfOtherForm(position, salt),
        let place = catalog.classes[position].layouts.firstIndex(where: { $0.id == layout.id })
      {
        catalog.classes[position].layouts[place] = layout
      }
    }
    return catalog
  }

  /// Calls `add` with each record of a file and each class that it may be of.
  private mutating func collect(
    from file: SalvagedPages, _ progress: Salvage.Progress,
    _ add: (inout Self, PageBytes, ObjectID, Int) -> Void
  ) throws {
    try file.forEachLeafPage("Reading records", progress) {
      try file.forEachEntry { entry in
        guard entry.key.count == 8, let record = try file.value(of: entry.content) else { return }
        let id = ObjectID(rawValue: entry.key.load(UInt64.self, at: 0))
        for position in classes.indices where mayBe(record, at: position) {
          add(&self, record, id, position)
        }
      }
    }
  }

  /// Keeps a record if it is one of the smallest.
  private mutating func add(_ record: PageBytes, _ id: ObjectID, at position: Int) {
    let isFull = samples[position].count == Self.samplesPerClass
    if isFull, let last = samples[position].last, last.record.count <= record.count { return }
    if isFull { samples[position].removeLast() }
    let place = samples[position].firstIndex { $0.record.count > record.count }
    samples[position].insert(
      Sample(id: id, record: record.array), at: place ?? samples[position].endIndex)
  }

  /// Keeps a record if a known salt fits it.
  private mutating func addFitting(_ record: PageBytes, _ id: ObjectID, at position: Int) {
    let entry = classes[position]
    guard samples[position].count < Self.samplesPerClass,
      known.contains(where: { entry.hasChecksum(record, id, salt: $0) })
    else { return }
    samples[position].append(Sample(id: id, record: record.array))
  }

  /// Returns whether a record may be of a class, by its layout.
  private func mayBe(_ record: PageBytes, at position: Int) -> Bool {
    if classes[position].layout(of: record) != nil { return true }
    guard let layout = otherForms[position] else { return false }
    return record.count >= layout.fixedSize && record.layoutID == layout.id
  }

  /// Returns the current layout of a class with slots of the other form, if more of the file's
  /// records have these.
  private func layoutOfOtherForm(_ position: Int, _ salt: ChecksumSalt) -> RecordLayout? {
    let entry = classes[position]
    guard let other = otherForms[position] else { return nil }
    let samples = samples[position].filter { $0.fits(entry, salt) }
    func count(_ layout: RecordLayout) -> Int {
      samples.count { sample in
        PageBytes.with(sample.record) { record in
          record.layoutID == layout.id && record.count >= layout.fixedSize
            && layout.isFilled(by: record)
        }
      }
    }
    return count(other) > count(entry.written.layout) ? other : nil
  }

  /// Returns the salts that records of some classes have shown, by the positions of the classes.
  private mutating func salts(of positions: [Int]) -> [Int: ChecksumSalt] {
    var (found, open): ([Int: ChecksumSalt], [Int]) = ([:], [])
    for position in positions {
      if let salt = knownSalt(of: position) {
        found[position] = salt
      } else if !samples[position].isEmpty {
        open.append(position)
      }
    }
    while let position = open.first {
      open.removeFirst()
      guard let salt = newSalt(of: position) else { continue }
      found[position] = salt
      known.append(salt)
      open.removeAll { other in
        guard let salt = knownSalt(of: other) else { return false }
        found[other] = salt
        return true
      }
    }
    return found
  }

  /// Returns the known salt that fits at least one record of a class.
  private func knownSalt(of position: Int) -> ChecksumSalt? {
    known.first { salt in samples[position].contains { $0.fits(classes[position], salt) } }
  }

  /// Returns the salt that fits one record of a class and, unless there is only one, a second: one
  /// of 65,536 damaged records fits some salt.
  private func newSalt(of position: Int) -> ChecksumSalt? {
    let (entry, samples) = (classes[position], samples[position])
    for sample in samples {
      let fitting = PageBytes.with(sample.record) { record in
        ChecksumSalt.all.lazy.map { ChecksumSalt(rawValue: $0) }
          .filter { entry.hasChecksum(record, sample.id, salt: $0) }
          .first { salt in samples.count(where: { $0.fits(entry, salt) }) >= min(2, samples.count) }
      }
      if let fitting { return fitting }
    }
    return nil
  }
}

extension CatalogClass {
  /// The current layout as it would be in a store of formats before 8 or, if it is of one, in a later
  /// store. It is nil if both forms are the same.
  fileprivate var layoutOfOtherForm: RecordLayout? {
    guard let current = writtenLayout else { return nil }
    let requests = properties.compactMap { property in
      current.fields.first { $0.property == property.id }.map { field in
        RecordFieldRequest(
          property: field.property, type: field.type, isOptional: field.presence != nil,
          needsCode: field.assigned != nil)
      }
    }
    let other = RecordLayout(id: current.id, requests, isWide: current.isCompact)
    return other.isValid && other != current ? other : nil
  }
}
