import Foundation
import Whimbrel

@Model final class Country {
  var name: String
  var flag: Data
  var cities: StoredList<City>
  var numbers: StoredList<Int>
}

@Model final class City {
  var name: String
  var country: Country?
  @Transient var label: String? = nil
}

func find(_ store: Store) {
  let countries = store.objects(Country.self)
  _ = countries.where { $0.nam == "Norway" }
  _ = countries.where { $0.name == 1 }
  _ = countries.where { $0.flag > Data() }
  _ = countries.where { $0.cities > 2 }
  _ = countries.where { $0.cities == 2 }
  _ = countries.where { $0.cities.nam == "Oslo" }
  _ = countries.min(of: \.flag)
  _ = countries.sum(of: \.name)
}
