import Foundation
import Whimbrel
import Zones

// `Tools/try` shows this file from here on.

@Model
final class Meeting {
  var title: String
  var hour: Int
  var zone: Zone?
}

func tour(_ url: URL) throws {
  var configuration = Store.Configuration.zones(url: url)
  configuration.models.append(Meeting.self)  // a new class needs no migration
  let store = try Store(configuration)

  try store.write {
    let hours = ["Europe/Andorra": 9, "Asia/Tokyo": 17, "Pacific/Auckland": 21]
    for (identifier, hour) in hours {
      let zone = store.object(ofType: Zone.self, forPrimaryKey: identifier)
      try store.add(Meeting(title: "Planning", hour: hour, zone: zone))
    }
  }

  let northern = store.objects(Meeting.self)
    .where { $0.zone.latitude > 0 && $0.title == "Planning" }
    .sorted(by: \.hour)
  for meeting in northern {
    print(meeting.hour, meeting.title, meeting.zone?.identifier ?? "")
  }
}
