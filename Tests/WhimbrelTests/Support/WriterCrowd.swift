import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@testable import WhimbrelEngine

/// Writers of one file on different actors, all of which write in one group: stores with observers,
/// one that throws, and writes of a configuration.
struct WriterCrowd {
  /// An actor with a store of its own, which it observes.
  actor Member {
    private let store: Store
    private var added: [Node] = []
    private var token: ObservationToken?
    /// The numbers of objects that the observer was told of.
    private(set) var told: [Int] = []

    init(_ configuration: Store.Configuration) throws { store = try Store(configuration) }

    func observe() {
      token = store.objects(Node.self).observe { change in
        self.assertIsolated()
        switch change {
        case .initial(let nodes): self.told.append(nodes.count)
        case .update(let nodes, _): self.told.append(nodes.count)
        case .error: self.told.append(-1)
        }
      }
    }

    func add(_ name: String, throwing: Bool) async throws {
      try await store.asyncWrite { store in
        let node = Node(name: name)
        try store.add(node)
        added.append(node)
        if throwing { throw RollBack() }
      }
    }

    /// The first words of the names that the store shows.
    var names: [String] { store.objects(Node.self).map(firstWord) }

    /// The first words of the names of the objects that are there, of those that were added here.
    var own: [String] { added.filter { !$0.isInvalidated }.map(firstWord) }

    /// Moves to the last commit.
    func refresh() throws { try store.refresh() }

    func close() throws {
      token = nil
      try store.close()
    }

    private func firstWord(_ node: Node) -> String {
      String(node.name.prefix { $0 != " " })
    }
  }

  let patient: PatientStore
  let members: [Member]

  /// The number of writes in a group, and of those that do not throw.
  static let (count, kept) = (6, 5)

  init(_ test: TestStore) async throws {
    patient = try PatientStore(test)
    members = try (0..<4).map { _ in try Member(test.configuration) }
    for member in members { await member.observe() }
  }

  /// Lets each writer add an object in one group, and returns their errors.
  ///
  /// - Parameters:
  ///   - length: The number of bytes of each name.
  ///   - meanwhile: A closure that runs before the group begins, while all wait.
  func write(
    _ name: String, length: Int = 0, _ meanwhile: () async throws -> Void = {}
  ) async throws -> [(any Error)?] {
    let configuration = patient.test.configuration
    let held = HeldWrite(configuration)
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<Self.count {
      let text = "\(name)\(number) " + String(repeating: "x", count: length)
      tasks.append(
        Task { [members] in
          if number < members.count {
            try await members[number].add(text, throwing: number == 2)
          } else {
            try await Store.write(configuration) { try $0.add(Node(name: text)) }
          }
        })
      try await patient.wait(for: number + 1)
    }
    try await meanwhile()
    held.release()
    held.wait()
    var errors: [(any Error)?] = []
    for task in tasks {
      do {
        try await task.value
        errors.append(nil)
      } catch {
        errors.append(error)
      }
    }
    return errors
  }

  /// The names that are kept of a group.
  static func names(_ name: String) -> [String] { [0, 1, 3, 4, 5].map { "\(name)\($0)" } }

  /// Closes all stores.
  func close() async throws {
    for member in members { try await member.close() }
    try patient.store.close()
  }
}
