/** The schema of the store, as `/schema` answers it, with ways to find things in it. */
export class Schema {
  #byName;

  constructor(json) {
    this.version = json.schemaVersion;
    this.classes = json.classes.map((one) => new SchemaClass(one));
    this.#byName = new Map(this.classes.map((one) => [one.name, one]));
  }

  /** The class of a name, or undefined. */
  find(name) {
    return this.#byName.get(name);
  }

  /** The properties of all classes that link to a class: `[{ class, property }]`. */
  linksTo(name) {
    return this.classes.flatMap((one) => one.properties
      .filter((property) => property.target === name)
      .map((property) => ({ class: one, property })));
  }
}

class SchemaClass {
  constructor(json) {
    this.name = json.name;
    this.isEmbedded = json.embedded === true;
    this.isDeclared = json.declared !== false;
    this.previousNames = json.previousNames ?? [];
    this.indexes = (json.indexes ?? []).map((index) => ({ kind: index.kind ?? 'ordered', properties: index.properties }));
    this.properties = json.properties.map((property) => new SchemaProperty(property));
    this.primaryKey = this.properties.find((property) => property.isPrimaryKey);
  }

  find(name) {
    return this.properties.find((property) => property.name === name);
  }
}

class SchemaProperty {
  constructor(json) {
    this.name = json.name;
    this.type = json.type;
    this.isOptional = json.optional === true;
    this.isPrimaryKey = json.primaryKey === true;
    this.isIndexed = json.indexed === true;
    this.cases = json.cases;
    this.previousNames = json.previousNames ?? [];
    this.default = json.default;
    Object.assign(this, parseType(json.type));
  }

  /** The type as people write it: with a '?' if it may be nil. Links always may, so they have none. */
  get typeText() {
    return this.isOptional && !this.type.endsWith('?') ? `${this.type}?` : this.type;
  }
}

/**
 * Takes the spelling of a type apart: `[<Zone>]` is `{ container: 'list', element: '<Zone>', target: 'Zone' }`.
 * `container` is null for a single value, `target` is null where nothing links.
 */
export function parseType(type) {
  let element = type.replace(/\?$/, '');
  let container = null;
  const map = /^\[string\s*:\s*(.+)\]$/.exec(element);
  const list = /^\[(.+)\]$/.exec(element);
  const set = /^\{(.+)\}$/.exec(element);
  if (map) [container, element] = ['map', map[1]];
  else if (list) [container, element] = ['list', list[1]];
  else if (set) [container, element] = ['set', set[1]];
  const link = /^<(.+)>\??$/.exec(element.trim());
  return { container, element: element.trim(), target: link ? link[1] : null };
}
