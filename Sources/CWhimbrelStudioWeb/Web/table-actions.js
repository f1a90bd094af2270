// What keys and clicks do in the table of objects.

import { announce, h, toast } from './dom.js';
import { isWriting, openEditor, openRemove } from './edit.js';
import { peek } from './peek.js';
import { visibleText } from './text.js';
import { cellNodes, cellText, hasMore, isCollection, isLink, isNil, nameOfID, token } from './values.js';

export class TableActions {
  #page;

  constructor(page) {
    this.#page = page;
  }

  get #table() {
    return this.#page.table;
  }

  get #isStopped() {
    return this.#page.context.events.state === 'stopped';
  }

  /** The nodes of a cell. */
  render(column, row, position) {
    const { context } = this.#page;
    if (!row.cells) return position === 0 ? token('deleted') : null;
    const cell = row.cells[position];
    const nodes = cellNodes(context, cell, column.type);
    if (!hasMore(cell) || isLink(cell) || (isCollection(cell) && Number(cell.count) === 0)) return h('span', { class: 'cell-text' }, nodes);
    return [h('span', { class: 'cell-text' }, nodes), h('button', { type: 'button', class: 'cell-more', tabindex: '-1', 'aria-label': `Show all of ${visibleText(column.name)}`, title: 'Show all (Space)' }, '⋯')];
  }

  /** Opens the object of a row. The row stays in the address, for the way back. */
  open(index) {
    const row = this.#page.source.row(index);
    if (!row || row.isDeleted) return;
    const { context, params } = this.#page;
    this.#page.keepRow();
    const { query, sort, descending, views, tab } = params;
    context.navigate('object', { class: this.#page.class.name, name: nameOfID(row.id), row: index + 1, query, sort, descending, views, tab });
  }

  /** Follows the link in a cell, or opens the object. */
  follow({ row, column }) {
    const found = this.#at(row, column);
    if (found && isLink(found.cell) && !found.cell.isDangling) {
      this.#page.keepRow();
      this.#page.context.navigate('object', { class: found.cell.class, name: nameOfID(found.cell.id) });
    } else {
      this.open(row);
    }
  }

  /** Shows all of a value beside its cell. */
  expand({ row, column }) {
    const found = this.#at(row, column);
    if (!found || found.row.isDeleted) return;
    const table = this.#table;
    peek(this.#page.context, {
      className: this.#page.class.name, id: found.row.id, column: found.column, cell: found.cell, anchor: table.cellElement({ row, column }),
      edit: this.#isEditable(found) ? () => this.edit({ row, column }) : null, closed: () => table.focus(),
    });
  }

  /** Opens the editor of a cell. Returns false if it cannot be edited. */
  edit({ row, column }) {
    const found = this.#at(row, column);
    if (!found || found.row.isDeleted || !isWriting(this.#page.context)) return false;
    if (this.#isStopped) return true;
    if (!this.#isEditable(found)) {
      toast(this.#reason(found));
      return true;
    }
    openEditor(this.#page.context, {
      className: this.#page.class.name, id: found.row.id, property: found.column.property, cell: found.cell, closed: () => this.#table.focus(),
    });
    return true;
  }

  #isEditable({ column, cell }) {
    return isWriting(this.#page.context) && column.property !== null && !column.isKey && !cell?.lacking && !this.#isStopped;
  }

  /** Why a cell cannot be edited. */
  #reason({ column, cell }) {
    if (cell?.lacking) return 'This object has not been converted to the newest schema version yet, so this value cannot be edited.';
    if (column.isKey) return 'A primary key cannot be changed. Add an object with the new key, and delete this one.';
    return 'Only values of the object itself can be edited. Open the object at the end of the path.';
  }

  remove({ row }) {
    const { context, source } = this.#page;
    if (!isWriting(context) || this.#isStopped) return;
    if (this.#table.selection.size > 0) {
      this.#page.removeSelected();
      return;
    }
    const found = source.row(row);
    if (!found || found.isDeleted) return;
    openRemove(context, [{ class: this.#page.class.name, id: found.id }], { done: () => this.#table.focus() });
  }

  async copy({ row, column }) {
    const found = this.#at(row, column);
    const text = column < 0 ? String(row + 1) : found && cellText(found.cell, found.column.type);
    if (text === undefined || text === null) return;
    try {
      await navigator.clipboard.writeText(text);
      announce(found && isNil(found.cell) ? 'Copied nil.' : `Copied ${visibleText(text.slice(0, 80))}`);
    } catch {
      toast('The browser does not allow this page to copy.', { kind: 'warning' });
    }
  }

  /** Sorts by a column: ascending, then descending, then in the order of the store. */
  sort(index) {
    const column = this.#table.columns[index];
    if (!column) return;
    if (!column.sortPath) {
      toast(`Objects cannot be sorted by '${visibleText(column.name)}', which is ${visibleText(column.type)}.`);
      return;
    }
    const { sort, isDescending } = this.#page.source.question;
    this.#table.active = { row: -1, column: index };
    if (sort !== column.sortPath) this.#page.go({ sort: column.sortPath, descending: null });
    else if (!isDescending) this.#page.go({ sort, descending: true });
    else this.#page.go({ sort: null, descending: null });
  }

  moveColumn(index, step) {
    const { columns } = this.#page;
    if (index < 0 || step === 0 || index + step < 0 || index + step >= columns.list.length) return;
    const target = columns.move(index, step);
    this.#page.showColumns(columns.list);
    this.#table.setActive(-1, target);
    announce(`${visibleText(columns.list[target].name)} is column ${target + 1} of ${columns.list.length}.`);
  }

  resizeColumn(index, direction) {
    const column = this.#table.columns[index];
    if (!column) return;
    this.setWidth(column, column.width + direction, { isDone: true });
    announce(`${Math.round(column.width * 2)} characters wide.`);
  }

  setWidth(column, width, { isDone }) {
    this.#page.columns.resize(column, width, isDone);
    this.#table.updateWidths();
  }

  rowsShown(first, last) {
    if (this.#page.table) this.#page.rowsShown(first, last);
  }

  selectionChanged() {
    this.#page.selectionChanged();
  }

  showChanges() {
    this.#page.changes.show();
  }

  #at(index, position) {
    const row = this.#page.source.row(index);
    const column = this.#table.columns[position];
    return row?.cells && column ? { row, column, cell: row.cells[position] } : null;
  }
}
