import Foundation
import Testing

/// The examples that users copy first.
@Suite struct ArticleTests {
  static let articles = Result {
    let folder = CompilerRun.repository.appending(path: "Sources/Whimbrel/Whimbrel.docc")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".md") }.sorted()
    let readme = CompilerRun.repository.appending(path: "README.md")
    return try ([readme] + names.map { folder.appending(path: $0) }).map(Article.init)
      .filter { !$0.programs.isEmpty }
  }

  @Test(arguments: try ArticleTests.articles.get())
  func `the examples of an article compile`(article: Article) throws {
    for program in article.programs {
      let run = try CompilerRun(typeChecking: ["Example.swift": program])
      #expect(run.exitCode == 0, "\(run.diagnostics)\n\(program)")
    }
  }

  @Test func `an example that does not compile is noticed`() throws {
    let articles = try Self.articles.get()
    #expect(articles.count >= 8)
    let program = try #require(
      articles.flatMap(\.programs).first { $0.contains("store.objects(") })
    let wrong = program.replacing("store.objects(", with: "store.object(")
    #expect(try CompilerRun(typeChecking: ["Example.swift": wrong]).exitCode != 0)
  }
}
