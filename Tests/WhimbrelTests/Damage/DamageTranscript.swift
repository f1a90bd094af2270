import Foundation
import Whimbrel
import WhimbrelTestSupport

/// What a store answers when it is asked in every way that an app has.
///
/// Each answer is a digest of what was read. An answer that meets damage has to say so: by an error,
/// or by one that the next `refresh()` throws.
struct DamageTranscript: Equatable {
  enum Answer: Equatable {
    case right(UInt64)
    case error(String)
  }

  private(set) var answers: [(name: String, answer: Answer)] = []

  static func == (left: Self, right: Self) -> Bool {
    left.answers.elementsEqual(right.answers) { $0.name == $1.name && $0.answer == $1.answer }
  }

  /// The answers that are neither those of the whole store nor errors.
  func wrong(comparedTo whole: DamageTranscript) -> [String] {
    zip(answers, whole.answers).compactMap { mine, right in
      if case .error = mine.answer { return nil }
      return mine.answer == right.answer ? nil : mine.name
    }
  }

  var errorCount: Int {
    answers.count { if case .error = $0.answer { true } else { false } }
  }

  /// Asks a store.
  static func ask(_ store: Store) -> DamageTranscript {
    var transcript = DamageTranscript()
    transcript.askTyped(store)
    transcript.askByKeys(store)
    transcript.askByIndexes(store)
    transcript.askDynamic(store)
    return transcript
  }

  /// Asks a store of any version.
  static func askDynamically(_ store: Store) -> DamageTranscript {
    var transcript = DamageTranscript()
    transcript.askDynamic(store)
    return transcript
  }

  private mutating func add(
    _ name: String, _ store: Store, _ read: (inout Digest) throws -> Void
  ) {
    do {
      var digest = Digest()
      try read(&digest)
      _ = try store.refresh()
      answers.append((name, .right(digest.value)))
    } catch {
      answers.append((name, .error("\(error)")))
      // What else was met on the way.
      _ = try? store.refresh()
    }
  }

  private mutating func askTyped(_ store: Store) {
    add("boats", store) { digest in
      for boat in store.objects(Fleet.Boat.self) {
        digest.add(boat.number, boat.name, boat.length, boat.rig, boat.launched as Any, boat.notes)
        digest.add(boat.photo, boat.engine?.power as Any, boat.engine?.maker as Any)
        digest.add(boat.captain?.name as Any, boat.captain?.age as Any)
      }
    }
    add("collections", store) { digest in
      for boat in store.objects(Fleet.Boat.self) {
        digest.add(boat.crew.map(\.name), Array(boat.depths), Array(boat.tags), boat.depths.count)
        digest.add(boat.spares.map(\.power), boat.berths.map { "\($0.key) \($0.value.code)" })
        digest.add(
          boat.depths.last as Any, boat.tags.contains("tag 1"), boat.berths["berth 1"]?.code as Any)
      }
    }
    add("sailors", store) { digest in
      for sailor in store.objects(Fleet.Sailor.self) {
        digest.add(sailor.name, sailor.age, sailor.licence as Any)
      }
    }
    add("inverses", store) { digest in
      for sailor in store.objects(Fleet.Sailor.self).limit(40) {
        digest.add(sailor.boats.map(\.number), sailor.commands.map(\.number))
      }
    }
    add("entries", store) { digest in
      for entry in store.objects(Fleet.Entry.self) {
        digest.add(entry.day, "\(entry.value)", entry.text as Any)
      }
    }
    add("positions", store) { digest in
      let boats = store.objects(Fleet.Boat.self)
      digest.add(boats.count)
      if boats.count > 3 {
        digest.add(boats[0].name, boats[boats.count / 2].name, boats.last?.name as Any)
      }
      digest.add(Array(boats).count)
    }
  }

  private mutating func askByKeys(_ store: Store) {
    add("numbers", store) { digest in
      for number in [-1, 0, 1, 5, 7, 9, 11, 22, 39, 1_003, 5_000] {
        digest.add(store.object(ofType: Fleet.Boat.self, forPrimaryKey: number)?.notes.count as Any)
      }
    }
    add("names", store) { digest in
      for number in stride(from: 0, to: 80, by: 3) {
        digest.add(
          store.object(ofType: Fleet.Sailor.self, forPrimaryKey: "sailor \(number)")?.age as Any)
      }
    }
  }

  private mutating func askByIndexes(_ store: Store) {
    let boats = store.objects(Fleet.Boat.self)
    for number in 0..<8 {
      add("name \(number)", store) { digest in
        let found = boats.where { $0.name == "boat \(number)" }
        digest.add(found.count, found.map(\.number))
      }
    }
    add("ages", store) { digest in
      for age in stride(from: 0, to: 62, by: 7) {
        digest.add(store.objects(Fleet.Sailor.self).where { $0.age == age }.map(\.name))
      }
    }
    add("days", store) { digest in
      for day in 0..<22 {
        digest.add(store.objects(Fleet.Entry.self).where { $0.day == day }.count)
      }
    }
    add("codes", store) { digest in
      for code in 0..<11 {
        digest.add(
          store.objects(Fleet.Harbor.self).where { $0.code == "H\(code)" }.map { "\($0.depth)" })
      }
    }
    add("dates", store) { digest in
      digest.add(boats.where { $0.launched == nil }.map(\.number))
      digest.add(
        boats.where { $0.launched > Date(timeIntervalSince1970: 10 * 86_400) }.map(\.number))
    }
    add("words", store) { digest in
      digest.add(boats.where { $0.notes.search("tide") }.count)
      for word in ["3", "7", "round", "nothing"] {
        digest.add(boats.where { $0.notes.search(word) }.map(\.number))
      }
    }
    add("composite", store) { digest in
      digest.add(boats.where { $0.rig == .sloop && $0.length > 5 }.map(\.number))
    }
    add("scans", store) { digest in
      digest.add(
        boats.where { $0.length > 3 }.map(\.number), boats.where { $0.notes.contains("wind") }.count
      )
      digest.add(
        boats.where { $0.crew.count > 2 }.map(\.number), boats.where { $0.captain.age > 20 }.count)
      digest.add(boats.where { $0.depths.any > 30 }.count)
    }
    add("order", store) { digest in
      digest.add(
        boats.sorted(by: \.name).map(\.number),
        boats.sorted(by: \.length, ascending: false).map(\.number))
      digest.add(store.objects(Fleet.Sailor.self).sorted(by: \.age).limit(9).map(\.name))
    }
    add("sums", store) { digest in
      digest.add(
        boats.sum(of: \.length), boats.min(of: \.number) as Any, boats.max(of: \.length) as Any)
      digest.add(
        store.objects(Fleet.Sailor.self).sum(of: \.age),
        store.objects(Fleet.Sailor.self).average(of: \.age) as Any)
    }
  }

  private mutating func askDynamic(_ store: Store) {
    for name in ["Boat", "Sailor", "Harbor", "Entry"] {
      add("dynamic \(name)", store) { digest in
        for object in try store.dynamicObjects(name) {
          for property in object.classSchema.properties.map(\.name) {
            digest.add(Self.text(try object.value(property)))
          }
        }
      }
    }
  }
}

extension DamageTranscript {
  /// A value as text; maps have no order of their own.
  private static func text(_ value: PropertyValue) -> String {
    guard case .map(let pairs) = value else { return "\(value)" }
    return "\(pairs.sorted { $0.key < $1.key })"
  }
}

/// A number that stands for what was read.
struct Digest {
  private(set) var value: UInt64 = 14_695_981_039_346_656_037

  mutating func add(_ values: Any...) {
    for value in values { add("\(value)") }
  }

  private mutating func add(_ text: String) {
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 1_099_511_628_211 }
    value = (value ^ 0xFF) &* 1_099_511_628_211
  }
}
