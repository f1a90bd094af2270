/** The selected objects of a table, by their IDs. They stay selected when their rows are out of sight. */
export class TableSelection {
  #table;
  /** The index of the row of each object. */
  #rows = new Map();

  constructor(table) {
    this.#table = table;
  }

  get size() {
    return this.#rows.size;
  }

  get ids() {
    return [...this.#rows.keys()];
  }

  has(id) {
    return this.#rows.has(String(id));
  }

  /** Selects or deselects the object of a row. */
  toggle(index, isSelected) {
    const row = this.#table.source.row(index);
    if (!row || row.isDeleted || !this.#table.isSelectable) return;
    const id = String(row.id);
    if (isSelected ?? !this.#rows.has(id)) this.#rows.set(id, index);
    else this.#rows.delete(id);
    this.#table.redraw(index);
    this.#table.actions.selectionChanged();
  }

  clear() {
    const indexes = [...this.#rows.values()];
    this.#rows.clear();
    for (const index of indexes) this.#table.redraw(index);
    this.#table.actions.selectionChanged();
  }
}
