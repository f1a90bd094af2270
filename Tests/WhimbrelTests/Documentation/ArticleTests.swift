import Foundation
import Testing
import WhimbrelTestSupport

/// The examples that users copy first.
@Suite struct ArticleTests {
  static let articles = Result {
    let folder = Compiler.repository.appending(path: "Sources/Whimbrel/Whimbrel.docc")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".md") }.sorted()
    let readme = Compiler.repository.appending(path: "README.md")
    return try ([readme] + names.map { folder.appending(path: $0) }).map(Article.init)
      .filter { !$0.programs.isEmpty }
  }

  @Test(.takesLong, arguments: try ArticleTests.articles.get())
  func `the examples of an article compile`(article: Article) throws {
    for program in article.programs {
      try expectCompiles([.init(name: "Example.swift", text: program)], .messages)
    }
  }

  @Test func `an example that does not compile is noticed`() throws {
    let articles = try Self.articles.get()
    #expect(articles.count >= 8)
    let program = try #require(
      articles.flatMap(\.programs).first { $0.contains("store.objects(") })
    let wrong = program.replacing("store.objects(", with: "store.object(")
    let outcome = try Compiler.compile([.init(name: "Example.swift", text: wrong)], .messages)
    #expect(!outcome.succeeded)
  }
}
