// The elements of the rows in sight, which are used again for others as the table scrolls.

import { h } from './dom.js';
import { makeRow, orderRows } from './table-row.js';

/** Updates that follow one another faster belong to one movement, in milliseconds. */
const frameTime = 40;
/** A movement of more updates is one in which nobody reads. */
const shortMovement = 10;
/** Rows stand relative to a base nearby, since large offsets lose precision. */
const baseRange = 200_000;

export class TableWindow {
  #rows = new Map();
  #pool = [];
  /** The position among all rows where the element begins. */
  #base = 0;
  #lastUpdate = 0;
  /** The number of updates of the movement so far. */
  #updates = 0;
  #table;

  element = h('div', { class: 'grid-window', role: 'rowgroup' });

  constructor(table) {
    this.#table = table;
  }

  /** The element of a row, or undefined if it is not drawn. */
  row(index) {
    return this.#rows.get(index);
  }

  get elements() {
    return this.#rows.values();
  }

  /** Draws a range of rows, and one more that keeps its element, so that the focus in it is not lost. */
  update(start, end, kept) {
    this.#moveBase(start);
    for (const [index, element] of this.#sorted) {
      if ((index >= start && index <= end) || index === kept) continue;
      this.#rows.delete(index);
      this.#pool.push(element);
    }
    for (let index = start; index <= end; index += 1) this.#require(index);
    if (kept >= 0) this.#require(kept);
    for (const element of this.#pool.splice(0)) element.remove();
    // To move elements takes time, so while the table scrolls from frame to frame they stay where they are.
    const now = performance.now();
    this.#updates = now - this.#lastUpdate < frameTime ? this.#updates + 1 : 0;
    this.#lastUpdate = now;
    if (this.#updates < shortMovement) this.order();
  }

  /** Puts the elements into the order of their rows. */
  order() {
    orderRows(this.element, this.#sorted.map(([, element]) => element));
  }

  /** Moves all rows, where `offset` is between the position of the track and that among the rows. */
  moveTo(offset) {
    this.element.style.top = `${this.#base - offset}px`;
  }

  /** Frees all elements, to be filled anew. */
  release() {
    this.#pool.push(...this.#sorted.map(([, element]) => element));
    this.#rows.clear();
  }

  /** Forgets all elements, since the columns have changed. */
  clear() {
    this.element.replaceChildren();
    this.#rows.clear();
    this.#pool = [];
  }

  get #sorted() {
    return [...this.#rows].sort(([one], [other]) => one - other);
  }

  #moveBase(first) {
    const position = first * this.#table.rowHeight;
    if (Math.abs(position - this.#base) < baseRange) return;
    this.#base = position;
    for (const [index, element] of this.#rows) this.#place(element, index);
  }

  #require(index) {
    if (this.#rows.has(index)) return;
    const element = this.#pool.shift() ?? this.element.appendChild(makeRow(this.#table.columns));
    this.#rows.set(index, element);
    this.#place(element, index);
    this.#table.fill(element, index);
  }

  #place(element, index) {
    element.style.transform = `translateY(${index * this.#table.rowHeight - this.#base}px)`;
  }
}
