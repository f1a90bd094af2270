import Foundation
import Whimbrel

func configure(_ configuration: inout Store.Configuration, _ url: URL) {
  configuration.fileURL = url
  configuration.readOnly = true
  configuration.objectTypes = []
  configuration.deleteRealmIfMigrationNeeded = true
}

func use(_ store: Store) {
  store.autorefresh = true
  store.writeAsync {}
  store.invalidate()
}
