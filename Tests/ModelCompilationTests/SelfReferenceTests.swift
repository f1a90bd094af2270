import Testing
import WhimbrelTestSupport

/// Models that refer to themselves or to each other not only compile, they run.
///
/// The compiler once preferred an overload for types that cannot be stored to the one for optional
/// links: the models compiled, and the program stopped when it added an object.
@Suite(.serialized) struct SelfReferenceTests {
  private static let heron = """
    @Model final class Heron {
      @PrimaryKey var ring: Int
      var nest: Nest?
      var mate: Heron?
      var perches: StoredList<Nest>
      var chicks: StoredSet<Heron>
      var friends: StoredMap<String, Heron>
      @Inverse(of: \\Heron.chicks) var parents: LinkingObjects<Heron>
    }
    """
  private static let nest = """
    @Model(.embedded) final class Nest {
      var height: Double
      var inner: Nest?
      var rooms: StoredList<Nest>
    }
    """
  private static let tree = """
    @Model final class Tree {
      var name: String
      var parent: Tree?
      var children: StoredList<Tree>
      @Inverse(of: \\Tree.children) var parents: LinkingObjects<Tree>
    }
    """
  private static let program = """
    @main enum Main {
      static func main() throws {
        let url = URL(filePath: "self.whimbrel")
        let store = try Store(
          .init(url: url, models: [Heron.self, Nest.self, Tree.self]))
        try store.write {
          let chick = Heron(ring: 2)
          let nest = Nest(height: 4, inner: Nest(height: 1))
          let heron = Heron(ring: 1, nest: nest, mate: chick, perches: [Nest(height: 7)])
          heron.chicks.insert(chick)
          try store.add(heron)
          heron.friends["old"] = chick
          let root = Tree(name: "root", children: [Tree(name: "leaf")])
          try store.add(root)
          root.parent = root
        }
        let herons = store.objects(Heron.self).sorted(by: \\.ring)
        print(
          herons[0].nest?.inner?.height ?? 0, herons[0].mate?.ring ?? 0,
          herons[0].perches[0].height, herons[1].parents[0].ring,
          herons[0].friends["old"]?.ring ?? 0)
        for tree in store.objects(Tree.self).sorted(by: \\.name) {
          print(tree.name, tree.parent?.name ?? "-", tree.children.count, tree.parents.count)
        }
      }
    }
    """

  @Test(
    .takesLong,
    arguments: [[heron, nest, tree], [tree, nest, heron]],
    [Compiler.Mode.debug, .release])
  func `models that refer to themselves take objects`(
    declarations: [String], mode: Compiler.Mode
  ) throws {
    let text = (["import Foundation\nimport Whimbrel"] + declarations + [Self.program])
      .joined(separator: "\n\n")
    let outcome = try Compiler.run([.init(name: "Models.swift", text: text)], mode)
    #expect(outcome.output == "1.0 2 7.0 1 2\nleaf - 0 1\nroot root 1 0\n")
    #expect(outcome.succeeded)
  }

  @Test(.takesLong, arguments: [true, false])
  func `models that refer to themselves take objects in files of their own`(
    isReversed: Bool
  ) throws {
    let texts = [Self.program, Self.heron, Self.nest, Self.tree]
    let sources = texts.enumerated().map { number, text in
      Compiler.Source(
        name: "File\(number).swift", text: "import Foundation\nimport Whimbrel\n\n\(text)")
    }
    let outcome = try Compiler.run(isReversed ? sources.reversed() : sources, .eachFile)
    #expect(outcome.output == "1.0 2 7.0 1 2\nleaf - 0 1\nroot root 1 0\n")
  }
}
