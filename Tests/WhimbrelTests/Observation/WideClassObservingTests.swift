import Foundation
import Testing
import Whimbrel

/// A class with more properties than a word of the machine has bits.
@Model
private final class Panel {
  @PrimaryKey var id: Int
  var n00: Int = 0
  var n01: Int = 0
  var n02: Int = 0
  var n03: Int = 0
  var n04: Int = 0
  var n05: Int = 0
  var n06: Int = 0
  var n07: Int = 0
  var n08: Int = 0
  var n09: Int = 0
  var n10: Int = 0
  var n11: Int = 0
  var n12: Int = 0
  var n13: Int = 0
  var n14: Int = 0
  var n15: Int = 0
  var n16: Int = 0
  var n17: Int = 0
  var n18: Int = 0
  var n19: Int = 0
  var n20: Int = 0
  var n21: Int = 0
  var n22: Int = 0
  var n23: Int = 0
  var n24: Int = 0
  var n25: Int = 0
  var n26: Int = 0
  var n27: Int = 0
  var n28: Int = 0
  var n29: Int = 0
  var n30: Int = 0
  var n31: Int = 0
  var n32: Int = 0
  var n33: Int = 0
  var n34: Int = 0
  var n35: Int = 0
  var n36: Int = 0
  var n37: Int = 0
  var n38: Int = 0
  var n39: Int = 0
  var n40: Int = 0
  var n41: Int = 0
  var n42: Int = 0
  var n43: Int = 0
  var n44: Int = 0
  var n45: Int = 0
  var n46: Int = 0
  var n47: Int = 0
  var n48: Int = 0
  var n49: Int = 0
  var n50: Int = 0
  var n51: Int = 0
  var n52: Int = 0
  var n53: Int = 0
  var n54: Int = 0
  var n55: Int = 0
  var n56: Int = 0
  var n57: Int = 0
  var n58: Int = 0
  var n59: Int = 0
  var n60: Int = 0
  var n61: Int = 0
  var n62: Int = 0
  var n63: Int = 0
  var n64: Int = 0
  var n65: Int = 0
  var n66: Int = 0
  var n67: Int = 0
  var n68: Int = 0
  var n69: Int = 0
}

@Suite struct WideClassObservingTests {
  private let place: TestStore
  private let store: Store

  init() throws {
    place = try TestStore([Panel.self])
    store = try place.open()
    try store.write { for id in 0..<3 { try store.add(Panel(id: id)) } }
  }

  private func panel(_ id: Int) throws -> Panel {
    try #require(store.object(ofType: Panel.self, forPrimaryKey: id))
  }

  @Test func `each changed property is told`() throws {
    var calls: [[String]] = []
    let token = try panel(1).observe { change in
      if case .change(_, let properties) = change { calls.append(properties.map(\.name)) }
    }
    try store.write {
      let panel = try panel(1)
      panel.n00 = 1
      panel.n62 = 1
      panel.n63 = 1
      panel.n69 = 1
    }
    try store.write { try panel(1).n64 = 1 }
    #expect(calls == [["n00", "n62", "n63", "n69"], ["n64"]])
    withExtendedLifetime(token) {}
  }

  @Test func `a key path fires for its property alone`() throws {
    var calls: [[Int]] = []
    let token = store.objects(Panel.self).observe(keyPaths: \.n64) { change in
      if case .update(_, let update) = change { calls.append(update.modifications) }
    }
    try store.write { try panel(1).n63 = 1 }
    try store.write { try panel(1).n65 = 1 }
    // Behind the key, this property has the same bit, in another word.
    try store.write { try panel(2).n00 = 1 }
    try store.write { try panel(0).n64 = 1 }
    #expect(calls == [[0]])
    withExtendedLifetime(token) {}
  }

  @Test func `a condition reads its property alone`() throws {
    var calls: [[Int]] = []
    let token = store.objects(Panel.self).where { $0.n64 > 0 }.observe { change in
      if case .update(_, let update) = change { calls.append(update.insertions) }
    }
    try store.write { try panel(0).n00 = 1 }
    try store.write { try panel(2).n64 = 1 }
    try store.write { try panel(1).n64 = 1 }
    #expect(calls == [[0], [0]])
    withExtendedLifetime(token) {}
  }
}
