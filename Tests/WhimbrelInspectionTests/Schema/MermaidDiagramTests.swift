import Testing
import WhimbrelEngine
import WhimbrelInspection

struct MermaidDiagramTests {
  @Test func `relations say how many objects there may be`() {
    let part = SchemaExport.ClassExport(
      name: "Part", isEmbedded: true, properties: [PropertySchema(name: "weight", type: .float)])
    let wheel = SchemaExport.ClassExport(
      name: "Wheel", isEmbedded: true, properties: [PropertySchema(name: "size", type: .int)])
    let car = SchemaExport.ClassExport(
      name: "Car",
      properties: [
        PropertySchema(name: "plate", type: .string, isPrimaryKey: true),
        PropertySchema(name: "color", type: .string, isOptional: true, cases: ["red", "bl\"ue"]),
        PropertySchema(name: "owner", type: .link(to: "Owner")),
        PropertySchema(name: "drivers", type: .set(of: ElementType(.link(to: "Owner")))),
        PropertySchema(name: "engine", type: .link(to: "Part")),
        PropertySchema(name: "spares", type: .list(of: ElementType(.link(to: "Part")))),
        PropertySchema(name: "wheels", type: .list(of: ElementType(.link(to: "Wheel")))),
        PropertySchema(name: "years", type: .map(of: ElementType(.int, isOptional: true))),
      ], indexes: [IndexSchema(["owner"], .unique)])
    let owner = SchemaExport.ClassExport(name: "Owner", properties: [])
    let schema = SchemaExport(schemaVersion: 1, classes: [car, owner, part, wheel])
    #expect(
      MermaidDiagram(schema).description == """
        erDiagram
          Car {
            string plate PK
            string color "optional, one of red, bl_ue"
            Owner owner FK, UK "optional"
            set(Owner) drivers FK
            Part engine FK "optional"
            list(Part) spares FK
            list(Wheel) wheels FK
            map(int) years "of optionals"
          }
          Owner
          Part {
            float weight
          }
          Wheel {
            int size
          }
          Car }o--o| Owner : owner
          Car }o--o{ Owner : drivers
          Car |o--o| Part : engine
          Car |o--o{ Part : spares
          Car ||--o{ Wheel : wheels

        """)
  }

  @Test func `odd names are quoted`() {
    let target = SchemaExport.ClassExport(
      name: "Größe", properties: [PropertySchema(name: "länge", type: .int)])
    let source = SchemaExport.ClassExport(
      name: "to", properties: [PropertySchema(name: "1st", type: .link(to: "Größe"))])
    let hostile = SchemaExport.ClassExport(name: "a\"%\\\n", properties: [])
    let schema = SchemaExport(schemaVersion: 1, classes: [target, source, hostile])
    #expect(
      MermaidDiagram(schema).description == """
        erDiagram
          "Größe" {
            int l_nge "länge"
          }
          "a____n"
          "to" {
            Gr__e x1st FK "1st, optional"
          }
          "to" }o--o| "Größe" : "1st"

        """)
  }
}
