// A table that only has elements for the rows in sight.

import { h } from './dom.js';
import { ScrollTrack } from './scroll.js';
import { TableHead } from './table-head.js';
import { handleKey } from './table-keys.js';
import { handleClick, handleDoubleClick, placeOf } from './table-pointer.js';
import { fillRest, fillRow, flashCells, makeRow, orderRows } from './table-row.js';
import { TableSelection } from './table-selection.js';

const overscan = 8;
/** The least time between two changes of what is asked for, in milliseconds. */
const needInterval = 60;
const settleTime = 200;
/** The time for a slice of work in milliseconds, after which the browser can react. */
const sliceTime = 8;

/**
 * A grid for a `RowSource`. Row -1 is the header, and column -1 has the number of the row.
 *
 * `actions` is a `TableActions`: what keys and clicks do.
 */
export class Table {
  #rows = new Map();
  #pool = [];
  #track = new ScrollTrack();
  /** The position among the rows where the window of elements begins. */
  #base = 0;
  #visibleColumns = [0, 0];
  #scrollLeft = 0;
  #settleTimer;
  #needTimer;
  #lastNeed = 0;
  #observer;
  #follow = (event) => this.#arrived(event.detail);
  #restart = () => this.refresh();

  active = { row: 0, column: 0 };
  selection = new TableSelection(this);

  constructor({ label, columns, source, actions, isSelectable }) {
    Object.assign(this, { columns, source, actions, isSelectable });
    this.window = h('div', { class: 'grid-window', role: 'rowgroup' });
    this.sizer = h('div', { class: 'grid-sizer' }, this.window);
    this.head = new TableHead(this);
    this.grid = h('div', { class: 'grid', role: 'grid', 'aria-label': label, 'aria-multiselectable': isSelectable || null }, this.head.element, this.sizer);
    this.element = h('div', { class: 'grid-scroller' }, this.grid);
    this.element.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    this.grid.addEventListener('keydown', (event) => handleKey(event, this));
    this.grid.addEventListener('focusin', (event) => this.#focused(event));
    this.grid.addEventListener('focusout', () => this.#settleLater());
    this.grid.addEventListener('click', (event) => handleClick(event, this));
    this.grid.addEventListener('dblclick', (event) => handleDoubleClick(event, this));
    this.#observer = new ResizeObserver(() => this.#measure());
    this.#listen();
  }

  /** Starts to draw, once the element is in the page. */
  start(row = 0) {
    this.active.row = Math.min(row, this.source.total - 1);
    this.#setColumns();
    this.#observer.observe(this.element);
    this.#measure();
    if (row > 0) this.scrollTo(row, 'centre');
  }

  stop() {
    this.#observer.disconnect();
    clearTimeout(this.#settleTimer);
    clearTimeout(this.#needTimer);
    this.#unlisten();
  }

  /** Shows another source. The position stays if the rows may be the same. */
  setSource(source, { row = 0 } = {}) {
    this.#unlisten();
    this.source.close();
    this.source = source;
    this.#listen();
    this.selection.clear();
    // Without rows, the header is all that can have the focus.
    this.active.row = this.active.row < 0 && source.total > 0 && this.head.row.contains(document.activeElement) ? -1 : Math.min(row, source.total - 1);
    this.active.column = Math.max(0, this.active.column);
    this.refresh();
    this.scrollTo(row, row > 0 ? 'centre' : 'start');
  }

  setColumns(columns) {
    this.columns = columns;
    this.active.column = Math.min(this.active.column, columns.length - 1);
    this.#keepFocus(() => {
      this.#setColumns();
      this.window.replaceChildren();
      this.#rows.clear();
      this.#pool = [];
      this.#render();
    });
  }

  /** Takes another order of the sort without drawing the rows again. */
  updateHead() {
    this.head.update();
    this.updateWidths();
  }

  updateWidths() {
    const number = Math.max(3, String(this.source.total).length) * 0.55 + (this.isSelectable ? 2.6 : 1.2);
    const widths = [`${number}rem`, ...this.columns.map((column) => `${column.width}rem`)];
    this.grid.style.setProperty('--columns', widths.join(' '));
    this.element.style.setProperty('--number-width', widths[0]);
  }

  /** Draws all again, as after a change of the number of rows. */
  refresh() {
    this.#keepFocus(() => {
      this.#pool.push(...this.#rows.values());
      this.#rows.clear();
      this.#setColumns();
      this.#measure();
    });
  }

  /** Elements are used for other rows, so the focus has to follow the active cell. */
  #keepFocus(action) {
    const hadFocus = this.window.contains(document.activeElement);
    action();
    if (hadFocus) this.cellElement(this.active)?.focus({ preventScroll: true });
  }

  /** Draws the row of an index again, if it is in sight. */
  redraw(index) {
    const element = this.#rows.get(index);
    if (element) this.#fill(element, index);
  }

  /** The first and the last row in sight. */
  get range() {
    const first = Math.floor(this.#track.position / this.rowHeight);
    const last = Math.ceil((this.#track.position + this.#viewport) / this.rowHeight) - 1;
    return [Math.max(0, first), Math.max(0, Math.min(this.source.total - 1, last))];
  }

  get pageSize() {
    return Math.max(1, Math.floor(this.#viewport / this.rowHeight) - 1);
  }

  get #viewport() {
    return Math.max(1, this.element.clientHeight - this.head.element.offsetHeight);
  }

  /** Scrolls to a row. `place` is 'nearest', 'start' or 'centre'. */
  scrollTo(row, place = 'nearest') {
    if (row < 0) return;
    const [top, viewport] = [row * this.rowHeight, this.#viewport];
    let { position } = this.#track;
    if (place === 'start') position = top;
    else if (place === 'centre') position = top - (viewport - this.rowHeight) / 2;
    else if (top < position) position = top;
    else if (top + this.rowHeight > position + viewport) position = top + this.rowHeight - viewport;
    if (position !== this.#track.position) this.element.scrollTop = this.#track.go(position);
    this.#render();
  }

  /** Makes a cell the one that keys act on. */
  setActive(row, column, { focus = true, place = 'nearest' } = {}) {
    const last = this.source.total - 1;
    this.cellElement(this.active)?.setAttribute('tabindex', '-1');
    this.active = { row: Math.max(-1, Math.min(row, last)), column: Math.max(-1, Math.min(column, this.columns.length - 1)) };
    this.scrollTo(this.active.row, place);
    const cell = this.cellElement(this.active);
    if (!cell) return;
    cell.tabIndex = 0;
    this.#revealColumn(cell);
    if (focus) cell.focus({ preventScroll: true });
  }

  focus() {
    this.setActive(this.active.row, this.active.column);
  }

  #listen() {
    this.source.addEventListener('rows', this.#follow);
    this.source.addEventListener('reset', this.#restart);
  }

  #unlisten() {
    this.source.removeEventListener('rows', this.#follow);
    this.source.removeEventListener('reset', this.#restart);
  }

  #setColumns() {
    this.grid.setAttribute('aria-colcount', this.columns.length + 1);
    this.grid.setAttribute('aria-rowcount', this.source.total + 1);
    this.updateHead();
  }

  #measure() {
    if (!this.element.isConnected) return;
    this.rowHeight = 2 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#track.configure(this.source.total * this.rowHeight, this.#viewport);
    this.sizer.style.height = `${this.#track.trackHeight}px`;
    this.element.scrollTop = this.#track.go(this.#track.position);
    this.#render();
  }

  #scrolled() {
    if (this.element.scrollLeft !== this.#scrollLeft) {
      this.#scrollLeft = this.element.scrollLeft;
      for (const element of this.#rows.values()) fillRest(element);
    }
    const correction = this.#track.scrolled(this.element.scrollTop);
    if (correction !== null) this.element.scrollTop = correction;
    this.#render();
  }

  #settleLater() {
    clearTimeout(this.#settleTimer);
    this.#settleTimer = setTimeout(() => this.#settle(), settleTime);
  }

  /** Does what can wait until the table stands still. */
  #settle() {
    const top = this.#track.settle();
    if (top !== null) {
      this.element.scrollTop = top;
      this.#placeWindow();
    }
    this.#moveTabStop();
    orderRows(this.window, [...this.#rows.values()]);
    this.#fillRest();
  }

  /** While the focus is elsewhere, the Tab key leads to a row in sight. */
  #moveTabStop() {
    const [first, last] = this.range;
    const { row, column } = this.active;
    if (row < 0 || (row >= first && row <= last) || this.grid.contains(document.activeElement)) return;
    this.cellElement(this.active)?.setAttribute('tabindex', '-1');
    this.active = { row: Math.min(first + 1, last), column };
    this.cellElement(this.active)?.setAttribute('tabindex', '0');
  }

  /** Fills the cells out of sight, a few at a time. */
  #fillRest() {
    const start = performance.now();
    for (const element of this.#rows.values()) {
      fillRest(element);
      if (performance.now() - start < sliceTime) continue;
      this.#settleTimer = setTimeout(() => this.#fillRest(), 0);
      return;
    }
  }

  #placeWindow() {
    this.window.style.top = `${this.#base - this.#track.offset}px`;
  }

  #render() {
    if (!this.rowHeight) return;
    const [first, last] = this.range;
    const start = Math.max(0, first - overscan);
    const end = Math.min(this.source.total - 1, last + overscan);
    // Rows stand relative to a base nearby, since large offsets lose precision.
    if (Math.abs(first * this.rowHeight - this.#base) > 200_000) {
      this.#base = start * this.rowHeight;
      for (const [index, element] of this.#rows) this.#place(element, index);
    }
    this.#placeWindow();
    // While the table scrolls, only cells in sight are filled.
    this.#visibleColumns = this.head.columnsInSight(this.element.scrollLeft, this.element.clientWidth);
    for (const [index, element] of this.#rows) {
      // The row with the focus keeps its element, so that the focus is not lost.
      if ((index >= start && index <= end) || index === this.active.row) continue;
      this.#rows.delete(index);
      this.#pool.push(element);
    }
    for (let index = start; index <= end; index += 1) this.#require(index);
    if (this.active.row >= 0 && this.active.row < this.source.total) this.#require(this.active.row);
    for (const element of this.#pool) element.remove();
    const cell = this.cellElement(this.active);
    if (cell) cell.tabIndex = 0;
    this.#need(start, end);
    this.#settleLater();
    this.actions.rowsShown(first, last);
  }

  #need(start, end) {
    clearTimeout(this.#needTimer);
    const wait = this.#lastNeed + needInterval - performance.now();
    if (wait > 0) {
      this.#needTimer = setTimeout(() => this.#need(start, end), wait);
      return;
    }
    this.#lastNeed = performance.now();
    if (this.source.total > 0) this.source.need(start, end);
  }

  #require(index) {
    if (this.#rows.has(index)) return;
    const element = this.#pool.pop() ?? makeRow(this.columns);
    this.#rows.set(index, element);
    this.#place(element, index);
    this.#fill(element, index);
    // A row that is used again is in the window still.
    if (!element.isConnected) this.window.append(element);
  }

  #place(element, index) {
    element.style.transform = `translateY(${index * this.rowHeight - this.#base}px)`;
  }

  #fill(element, index) {
    const row = this.source.row(index);
    fillRow(element, { index, row, columns: this.columns, isSelectable: this.isSelectable, isSelected: this.selection.has(row?.id), render: (...values) => this.actions.render(...values) }, ...this.#visibleColumns);
    if (index === this.active.row) {
      fillRest(element);
      this.cellElement(this.active)?.setAttribute('tabindex', '0');
    }
  }

  #arrived({ first, count, before }) {
    this.#settleLater();
    if (this.grid.getAttribute('aria-rowcount') !== String(this.source.total + 1)) this.#setColumns();
    for (let offset = 0; offset < count; offset += 1) {
      const element = this.#rows.get(first + offset);
      if (!element) continue;
      this.#fill(element, first + offset);
      if (before?.[offset]?.cells) flashCells(element, before[offset].cells, this.source.row(first + offset).cells);
    }
  }

  /** The element of a cell, or null if it is not drawn. */
  cellElement({ row, column }) {
    const element = row < 0 ? this.head.row : this.#rows.get(row);
    return element?.children[column + 1] ?? null;
  }

  #revealColumn(cell) {
    const start = this.head.row.firstElementChild.offsetWidth;
    const { scrollLeft, clientWidth } = this.element;
    const left = cell.offsetLeft;
    if (this.active.column < 0) return;
    if (left < scrollLeft + start) this.element.scrollLeft = left - start;
    else if (left + cell.offsetWidth > scrollLeft + clientWidth) this.element.scrollLeft = Math.min(left - start, left + cell.offsetWidth - clientWidth);
  }

  #focused(event) {
    const place = placeOf(event);
    if (!place || (place.row === this.active.row && place.column === this.active.column)) return;
    this.cellElement(this.active)?.setAttribute('tabindex', '-1');
    this.active = place;
    const cell = this.cellElement(place);
    if (cell) cell.tabIndex = 0;
  }
}
