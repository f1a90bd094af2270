// The rows of a table as elements, which are used again for other rows.

import { h } from './dom.js';

const flashTime = 4000;

export function makeRow(columns) {
  const cells = columns.map((column, index) => h('div', {
    class: ['cell', column.isNumeric && 'cell-number', column.isKey && 'cell-key'], role: column.isKey ? 'rowheader' : 'gridcell',
    'aria-colindex': index + 2, tabindex: '-1', dataset: { column: index },
  }));
  return h('div', { class: 'grid-row', role: 'row' },
    h('div', { class: 'cell cell-index', role: 'gridcell', 'aria-colindex': 1, tabindex: '-1', dataset: { column: -1 } }), cells);
}

/**
 * Fills a row, but of its cells only those of the columns from `first` to `last`. `fillRest` does the others.
 * `row` is undefined while it is being loaded.
 */
export function fillRow(element, content, first, last) {
  const { index, row, isSelectable, isSelected } = content;
  element.dataset.row = index;
  element.setAttribute('aria-rowindex', index + 2);
  element.classList.toggle('is-odd', index % 2 === 1);
  element.classList.toggle('is-deleted', row?.isDeleted === true);
  if (isSelectable) element.setAttribute('aria-selected', String(isSelected));
  const number = element.firstElementChild;
  number.replaceChildren(...numberNodes(index, row, isSelectable, isSelected));
  number.tabIndex = -1;
  const wasLoading = element.classList.contains('is-loading');
  element.classList.toggle('is-loading', !row);
  element.unfilled = null;
  if (row) {
    element.removeAttribute('aria-busy');
    element.unfilled = { content, first, last };
    for (let position = first; position <= last; position += 1) fillCell(element.children[position + 1], content, position);
  } else if (!wasLoading) {
    element.setAttribute('aria-busy', 'true');
    for (const cell of [...element.children].slice(1)) clearCell(cell);
  }
}

/** Fills the cells that `fillRow` has left out. */
export function fillRest(element) {
  if (!element.unfilled) return;
  const { content, first, last } = element.unfilled;
  element.unfilled = null;
  for (let position = 0; position < content.columns.length; position += 1) {
    if (position < first || position > last) fillCell(element.children[position + 1], content, position);
  }
}

function fillCell(cell, { row, columns, render }, position) {
  clearCell(cell);
  cell.append(...[render(columns[position], row, position)].flat(5).filter((node) => node || node === 0));
  // The arrow keys lead to cells, and Enter follows a link.
  for (const link of cell.querySelectorAll('a')) link.tabIndex = -1;
}

function clearCell(cell) {
  if (cell.tabIndex !== -1) cell.tabIndex = -1;
  cell.classList.remove('is-changed');
  cell.replaceChildren();
}

function numberNodes(index, row, isSelectable, isSelected) {
  const number = h('span', { class: 'row-number' }, index + 1, row?.isDeleted && h('span', { class: 'visually-hidden' }, ' deleted'));
  if (!isSelectable || !row || row.isDeleted) return [number];
  return [h('input', { type: 'checkbox', tabindex: '-1', class: 'row-check', checked: isSelected, 'aria-label': `Select row ${index + 1}` }), number];
}

/** Marks the cells of a row whose values have changed, for some seconds. */
export function flashCells(element, before, now) {
  for (const [position, cell] of (now ?? []).entries()) {
    if (JSON.stringify(cell) === JSON.stringify(before[position])) continue;
    const target = element.children[position + 1];
    target?.classList.add('is-changed');
    setTimeout(() => target?.classList.remove('is-changed'), flashTime);
  }
}

/** Puts rows into their order for screen readers: few moves, and none of the row with the focus. */
export function orderRows(parent, order) {
  // Rows that were used again stand at one end, and belong to the other.
  const isBackward = order.indexOf(parent.firstElementChild) > order.length / 2;
  const following = isBackward ? 'previousElementSibling' : 'nextElementSibling';
  let next = isBackward ? parent.lastElementChild : parent.firstElementChild;
  for (const element of isBackward ? order.reverse() : order) {
    if (element !== next && element.contains(document.activeElement)) {
      while (next !== element) {
        const moved = next;
        next = next[following];
        parent[isBackward ? 'prepend' : 'append'](moved);
      }
    }
    if (element === next) next = next[following];
    else if (!isBackward) parent.insertBefore(element, next);
    else if (next) next.after(element);
    else parent.prepend(element);
  }
}
