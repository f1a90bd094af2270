// The columns of a table: which, in what order and how wide. They are kept for each class.

import { defaultWidth, describeType, isNumeric, isSortable } from './kinds.js';
import { quoteName, resolvePath } from './names.js';
import { widthLimits } from './table-head.js';

/** A table of very many columns is slow and of little use, so the rest is left to choose. */
const firstColumns = 24;

/** The columns of the objects of a class. */
export class Columns {
  #context;
  #key;

  constructor(context, className) {
    this.#context = context;
    this.className = className;
    this.#key = `columns.${className}`;
    this.list = this.#kept() ?? this.defaults;
  }

  /** All properties in the declared order, up to a limit. */
  get defaults() {
    const properties = this.#context.schema.find(this.className)?.properties ?? [];
    return properties.slice(0, firstColumns).map((property) => this.make(quoteName(property.name)));
  }

  get names() {
    return this.list.map((column) => column.name);
  }

  /** Makes the column of a path, or returns null if the schema has no such path. */
  make(name, width) {
    if (name === '#') return this.#column(name, 'int', width, null);
    const found = resolvePath(this.#context.schema, this.className, name);
    if (!found) return null;
    const { property, isMany, isDirect } = found;
    const type = isMany ? `[${property.element}]` : property.typeText;
    return this.#column(name, type, width, isDirect ? property : null);
  }

  /** Replaces the columns and keeps them for the next time. */
  set(list) {
    this.list = list;
    this.#context.preferences.set(this.#key, list.map(({ name, width }) => ({ name, width })));
  }

  reset() {
    this.#context.preferences.set(this.#key, null);
    this.list = this.defaults;
  }

  move(index, step) {
    const list = [...this.list];
    const [column] = list.splice(index, 1);
    const target = Math.max(0, Math.min(list.length, index + step));
    list.splice(target, 0, column);
    this.set(list);
    return target;
  }

  /** Sets the width of a column. With `isDone`, it is kept. */
  resize(column, width, isDone = true) {
    column.width = Math.round(Math.max(widthLimits[0], Math.min(widthLimits[1], width)) * 10) / 10;
    if (isDone) this.set(this.list);
  }

  #column(name, type, width, property) {
    const kind = describeType(type);
    return { name, type, kind, property, sortPath: this.#sortPath(name, kind), width: width ?? Math.max(defaultWidth(kind), Math.min(16, name.length * 0.6 + 2.5)), isNumeric: isNumeric(kind), isKey: property?.isPrimaryKey === true };
  }

  /** The path that the header sorts by, or null. Links have no order, so their objects' keys are compared. */
  #sortPath(name, kind) {
    if (isSortable(kind)) return name;
    const key = kind.container === null && kind.target && this.#context.schema.find(kind.target)?.primaryKey;
    return key ? `${name}.${quoteName(key.name)}` : null;
  }

  #kept() {
    const kept = this.#context.preferences.get(this.#key, null);
    if (!Array.isArray(kept)) return null;
    const list = kept.map(({ name, width }) => this.make(String(name), Number(width) || undefined)).filter(Boolean);
    return list.length > 0 ? list : null;
  }
}
