// A table that only has elements for the rows in sight.

import { h } from './dom.js';
import { ScrollTrack } from './scroll.js';
import { TableHead } from './table-head.js';
import { handleKey } from './table-keys.js';
import { handleClick, handleDoubleClick, placeOf } from './table-pointer.js';
import { fillRest, fillRow, flashCells } from './table-row.js';
import { TableSelection } from './table-selection.js';
import { TableWidths } from './table-widths.js';
import { TableWindow } from './table-window.js';

const overscan = 8;
/** The least time between two changes of what is asked for, in milliseconds. */
const needInterval = 60;
const settleTime = 150;
/** The time for a slice of work in milliseconds, after which the browser can react. */
const sliceTime = 8;

/**
 * A grid for a `RowSource`. Row -1 is the header, and column -1 has the number of the row.
 *
 * `actions` is a `TableActions`: what keys and clicks do.
 */
export class Table {
  #track = new ScrollTrack();
  #visibleColumns = [0, 0];
  /** The height for rows and the width in pixels. They are kept, since asking the browser makes it lay the page out. */
  #viewport = 1;
  #width = 1;
  #scrollLeft = 0;
  #widths = new TableWidths();
  #settleTimer;
  #needTimer;
  #lastNeed = 0;
  #observer;
  #follow = (event) => this.#arrived(event.detail);
  #restart = () => this.refresh();

  active = { row: 0, column: 0 };
  selection = new TableSelection(this);
  window = new TableWindow(this);

  constructor({ label, columns, source, actions, isSelectable }) {
    Object.assign(this, { columns, source, actions, isSelectable });
    this.sizer = h('div', { class: 'grid-sizer' }, this.window.element);
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
      this.window.clear();
      this.#render();
    });
  }

  updateWidths() {
    this.grid.style.setProperty('--columns', this.#widths.update(this.columns, this.source.total, this.isSelectable));
  }

  /** Draws all again, as after a change of the number of rows. */
  refresh() {
    this.#keepFocus(() => {
      this.window.release();
      this.#setColumns();
      this.#measure();
    });
  }

  /** Elements are used for other rows, so the focus has to follow the active cell. */
  #keepFocus(action) {
    const hadFocus = this.window.element.contains(document.activeElement);
    action();
    if (hadFocus) this.cellElement(this.active)?.focus({ preventScroll: true });
  }

  /** Draws the row of an index again, if it is in sight. */
  redraw(index) {
    const element = this.window.row(index);
    if (element) this.fill(element, index);
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
    this.#moveTo({ row: Math.max(-1, Math.min(row, this.source.total - 1)), column: Math.max(-1, Math.min(column, this.columns.length - 1)) });
    // Draws the row, too, if it was out of sight.
    this.scrollTo(this.active.row, place);
    const cell = this.cellElement(this.active);
    if (!cell) return;
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
    this.head.update();
    this.updateWidths();
  }

  #measure() {
    if (!this.element.isConnected) return;
    // The table may have scrolled without an event yet.
    this.#track.scrolled(this.element.scrollTop);
    this.unit = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.rowHeight = 2 * this.unit;
    this.#viewport = Math.max(1, this.element.clientHeight - this.head.element.offsetHeight);
    this.#width = this.element.clientWidth;
    this.#track.configure(this.source.total * this.rowHeight, this.#viewport);
    this.sizer.style.height = `${this.#track.trackHeight}px`;
    this.element.scrollTop = this.#track.go(this.#track.position);
    this.#render();
  }

  #scrolled() {
    if (this.element.scrollLeft !== this.#scrollLeft) {
      this.#scrollLeft = this.element.scrollLeft;
      for (const element of this.window.elements) fillRest(element);
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
      this.window.moveTo(this.#track.offset);
    }
    this.#moveTabStop();
    this.window.order();
    this.#fillRest();
  }

  /** While the focus is elsewhere, the Tab key leads to a row in sight. */
  #moveTabStop() {
    const [first, last] = this.range;
    const { row, column } = this.active;
    if (row < 0 || (row >= first && row <= last) || this.grid.contains(document.activeElement)) return;
    this.#moveTo({ row: Math.min(first + 1, last), column });
  }

  /** Fills the cells out of sight, a few at a time. */
  #fillRest() {
    const start = performance.now();
    for (const element of this.window.elements) {
      fillRest(element);
      if (performance.now() - start < sliceTime) continue;
      this.#settleTimer = setTimeout(() => this.#fillRest(), 0);
      return;
    }
  }

  #render() {
    if (!this.rowHeight) return;
    const [first, last] = this.range;
    const start = Math.max(0, first - overscan);
    const end = Math.min(this.source.total - 1, last + overscan);
    // While the table scrolls, only cells in sight are filled.
    this.#visibleColumns = this.#widths.inSight(this.#scrollLeft / this.unit, (this.#scrollLeft + this.#width) / this.unit);
    this.window.update(start, end, Math.min(this.active.row, this.source.total - 1));
    this.window.moveTo(this.#track.offset);
    this.cellElement(this.active)?.setAttribute('tabindex', '0');
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

  /** Fills the element of a row. */
  fill(element, index) {
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
      const [element, old, now] = [this.window.row(first + offset), before?.[offset], this.source.row(first + offset)];
      // A row that is the same keeps the marks of what changed just before.
      if (!element || (old && JSON.stringify(old) === JSON.stringify(now))) continue;
      this.fill(element, first + offset);
      if (old?.cells) flashCells(element, old.cells, now.cells);
    }
  }

  /** The element of a cell, or null if it is not drawn. */
  cellElement({ row, column }) {
    const element = row < 0 ? this.head.row : this.window.row(row);
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
    if (place) this.#moveTo(place);
  }

  /** Makes a cell the stop of the Tab key. */
  #moveTo(place) {
    this.cellElement(this.active)?.setAttribute('tabindex', '-1');
    this.active = place;
    this.cellElement(place)?.setAttribute('tabindex', '0');
  }
}
