// The header of a table: sorting, and the order and the width of columns.

import { h, icon, replace } from './dom.js';
import { userText, visibleText } from './text.js';

/** The least and the greatest width of a column in rem. */
export const widthLimits = [4, 60];

export class TableHead {
  #table;
  #dragged = null;

  constructor(table) {
    this.#table = table;
    this.row = h('div', { class: 'grid-row', role: 'row', 'aria-rowindex': 1 });
    this.element = h('div', { class: 'grid-head', role: 'rowgroup' }, this.row);
  }

  /** Draws the cells for the columns and the order of the table. */
  update() {
    const { columns, isSelectable, active } = this.#table;
    const hadFocus = this.row.contains(document.activeElement);
    replace(this.row,
      h('div', { class: 'cell cell-index', role: 'columnheader', 'aria-colindex': 1, tabindex: '-1', dataset: { column: -1 } },
        h('span', { class: 'visually-hidden' }, isSelectable ? 'Row, and selection' : 'Row'), h('span', { 'aria-hidden': 'true' }, '#')),
      columns.map((column, index) => this.#cell(column, index)));
    if (active.row < 0) this.row.children[active.column + 1]?.setAttribute('tabindex', '0');
    if (hadFocus) this.row.children[active.column + 1]?.focus({ preventScroll: true });
  }

  #cell(column, index) {
    const { sort, isDescending } = this.#table.source.question;
    const isSorted = sort !== undefined && sort === column.sortPath;
    const order = isSorted ? (isDescending ? 'descending' : 'ascending') : null;
    const cell = h('div', {
      class: ['cell', column.isNumeric && 'cell-number', column.sortPath && 'is-sortable'],
      role: 'columnheader', 'aria-colindex': index + 2, 'aria-sort': order, tabindex: '-1', dataset: { column: index },
      draggable: 'true', title: `${visibleText(column.name)}: ${visibleText(column.type)}`,
      onclick: (event) => { if (!event.target.closest('.resizer')) this.#table.actions.sort(index); },
      ondragstart: (event) => this.#startDrag(event, index),
      ondragover: (event) => this.#dragOver(event, cell),
      ondragleave: () => cell.classList.remove('is-target'),
      ondrop: (event) => this.#drop(event, index, cell),
      ondragend: () => { this.#dragged = null; },
    },
    h('span', { class: 'head-text' }, column.isKey && icon('key'), column.isKey && h('span', { class: 'visually-hidden' }, 'primary key '), userText(column.name)),
    isSorted && icon(isDescending ? 'down' : 'up'),
    this.#resizer(column));
    return cell;
  }

  #resizer(column) {
    const start = (event) => {
      event.preventDefault();
      event.stopPropagation();
      const { pointerId, clientX, target } = event;
      const cell = target.parentElement;
      const unit = parseFloat(getComputedStyle(document.documentElement).fontSize);
      const width = cell.offsetWidth;
      const move = (moved) => { this.#table.actions.setWidth(column, (width + moved.clientX - clientX) / unit, { isDone: false }); };
      // Otherwise the browser would start to drag the header.
      cell.draggable = false;
      target.setPointerCapture(pointerId);
      target.addEventListener('pointermove', move);
      target.addEventListener('lostpointercapture', () => {
        target.removeEventListener('pointermove', move);
        cell.draggable = true;
        this.#table.actions.setWidth(column, column.width, { isDone: true });
      }, { once: true });
    };
    // The keyboard resizes by Shift and the arrow keys, and the dialog of columns has a field for the width.
    return h('span', { class: 'resizer', 'aria-hidden': 'true', onpointerdown: start });
  }

  #startDrag(event, index) {
    this.#dragged = index;
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', this.#table.columns[index].name);
  }

  #dragOver(event, cell) {
    if (this.#dragged === null) return;
    event.preventDefault();
    cell.classList.add('is-target');
  }

  #drop(event, index, cell) {
    cell.classList.remove('is-target');
    if (this.#dragged === null) return;
    event.preventDefault();
    this.#table.actions.moveColumn(this.#dragged, index - this.#dragged);
    this.#dragged = null;
  }
}
