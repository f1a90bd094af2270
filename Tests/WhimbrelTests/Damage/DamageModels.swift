import Foundation
import Whimbrel

/// The models of the stores that are damaged: every kind of property, link, collection and index.
enum Fleet {
  static let models: [any Model.Type] = [
    Boat.self, Sailor.self, Engine.self, Entry.self, Harbor.self,
  ]

  enum Rig: String, PersistableEnum {
    case sloop, ketch, none
  }

  @Model
  @Index([\.rig, \.length])
  final class Boat {
    @PrimaryKey var number: Int
    @Indexed var name: String
    var length: Double = 0
    var rig: Rig = Rig.none
    @Indexed var launched: Date?
    @Indexed(.fullText) var notes: String = ""
    var photo: Data = Data()
    var engine: Engine?
    var spares: StoredList<Engine>
    @Indexed var captain: Sailor?
    var crew: StoredList<Sailor>
    var depths: StoredList<Int>
    var tags: StoredSet<String>
    var berths: StoredMap<String, Harbor>
  }

  @Model
  final class Sailor {
    @PrimaryKey var name: String
    @Indexed var age: Int = 0
    var licence: UUID?
    @Inverse(of: \Boat.crew) var boats: LinkingObjects<Boat>
    @Inverse(of: \Boat.captain) var commands: LinkingObjects<Boat>
  }

  @Model(.embedded)
  final class Engine {
    var power: Int = 0
    var maker: String?
  }

  @Model
  final class Harbor {
    @Indexed(.unique) var code: String
    var depth: Decimal = 0
  }

  /// No primary key, and values of any type.
  @Model
  final class Entry {
    @Indexed var day: Int = 0
    var value: AnyValue = AnyValue.none
    var text: String?
  }
}

/// The same, as a later version of the app has them.
enum FleetV2 {
  static let models: [any Model.Type] = [
    Boat.self, Fleet.Sailor.self, Fleet.Engine.self, Fleet.Entry.self, Fleet.Harbor.self,
  ]

  @Model
  @Index([\.rig, \.length])
  final class Boat {
    @PrimaryKey var number: Int
    @Indexed var name: String
    var length: Double = 0
    var feet: Double = 0
    var rig: Fleet.Rig = Fleet.Rig.none
    @Indexed var launched: Date?
    @Indexed(.fullText) var notes: String = ""
    var photo: Data = Data()
    var engine: Fleet.Engine?
    var spares: StoredList<Fleet.Engine>
    @Indexed var captain: Fleet.Sailor?
    var crew: StoredList<Fleet.Sailor>
    var depths: StoredList<Int>
    var tags: StoredSet<String>
    var berths: StoredMap<String, Fleet.Harbor>
  }
}
