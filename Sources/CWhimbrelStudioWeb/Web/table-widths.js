/** The widths of the columns of a table in rem, with that of the row numbers first. */
export class TableWidths {
  #number = 0;
  #columns = [];

  /** Takes the widths. Returns the tracks of the CSS grid. */
  update(columns, rowCount, isSelectable) {
    this.#number = Math.max(3, String(rowCount).length) * 0.55 + (isSelectable ? 2.6 : 1.2);
    this.#columns = columns.map((column) => column.width);
    return [this.#number, ...this.#columns].map((width) => `${width}rem`).join(' ');
  }

  /** The first and the last column between two positions in rem. */
  inSight(start, end) {
    let right = this.#number;
    let [first, last] = [this.#columns.length, 0];
    for (const [index, width] of this.#columns.entries()) {
      if (right < end) last = index;
      right += width;
      if (right > start) first = Math.min(first, index);
    }
    return [first, last];
  }
}
