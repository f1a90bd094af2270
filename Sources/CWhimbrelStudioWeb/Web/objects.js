// The page of the objects of a class: filter, views and the table.

import { Changes } from './changes.js';
import { Columns } from './columns.js';
import { chooseColumns } from './columns-dialog.js';
import { announce, emptyState, errorBlock, h, icon, replace, skeleton } from './dom.js';
import { isWriting, openAdd, openRemove, openUndo } from './edit.js';
import { explain } from './explain.js';
import { openExport } from './export.js';
import { FilterBox } from './filter.js';
import { formatCount, plural } from './format.js';
import { stoppedNote } from './live.js';
import { RowSource, kept, questionOf, sameQuestion } from './rows.js';
import { documentShortcuts } from './shortcuts.js';
import { Table } from './table.js';
import { TableActions } from './table-actions.js';
import { userText, visibleText } from './text.js';
import { Views } from './views.js';

documentShortcuts([
  ['Enter', 'In a table: open the object or follow the link; in its header: sort'],
  ['Space', 'In a table: show all of the value'],
  ['c', 'In a table: copy the value'],
  ['r', 'In a table: show what was added or removed'],
  ['F2', 'In a table: edit the value'],
  ['Delete', 'In a table: delete the selected objects'],
  ['Shift Space', 'In a table: select the row'],
  ['Shift ← or →', 'In the header of a table: change the width'],
  ['Control Shift ← or →', 'In the header of a table: move the column'],
  ['Control Z', 'Undo the latest edit'],
]);

export async function show(context, params) {
  let page = open(context, params);
  return {
    leave: () => page?.leave(),
    async update(changed) {
      if (page?.class.name === changed.class) {
        await page.update(changed);
        return;
      }
      page?.leave();
      page = open(context, changed);
      context.focusHeading();
    },
  };
}

function open(context, params) {
  const one = context.schema.find(params.class);
  if (one) {
    const page = new ObjectsPage(context, one, params);
    page.load();
    return page;
  }
  context.main.classList.remove('objects-page');
  replace(context.main, h('h1', null, 'No such class'),
    emptyState(`The store has no class '${visibleText(params.class ?? '')}'.`, h('a', { href: context.href('classes') }, 'Show all classes')));
  context.setTitle('No such class');
  return null;
}

class ObjectsPage {
  #listeners = new AbortController();
  #params;
  #source = null;
  /** Grows with each load, so that a slow answer does not replace a newer one. */
  #turn = 0;
  #rowTimer;
  /** False if the schema has changed, so that the rows must not be shown again. */
  #canKeep = true;

  constructor(context, one, params) {
    this.context = context;
    this.class = one;
    this.#params = params;
    this.columns = new Columns(context, one.name);
    this.views = new Views(context, () => this.#params);
    this.changes = new Changes(this);
    this.filter = new FilterBox(context, one.name, { apply: (query) => this.go({ query }), explain: () => this.#explain() });
    this.#build();
    context.setTitle(visibleText(one.name));
    const { signal } = this.#listeners;
    context.events.addEventListener('commit', (event) => this.changes.take(event.detail), { signal });
    context.events.addEventListener('schema', () => { this.#canKeep = false; }, { signal });
    for (const kind of ['state', 'edit']) context.events.addEventListener(kind, () => this.#updateControls(), { signal });
  }

  get source() {
    return this.#source;
  }

  get params() {
    return this.#params;
  }

  leave() {
    this.#listeners.abort();
    clearTimeout(this.#rowTimer);
    this.#turn += 1;
    this.table?.stop();
    kept.source = this.#canKeep ? this.#source : null;
  }

  /** Shows what a changed address of the same class asks for. */
  async update(params) {
    this.#params = params;
    this.views.update();
    this.filter.text = params.query ?? '';
    const row = rowOf(params);
    if (sameQuestion(this.question, this.#source?.question)) this.table?.setActive(row, this.table.active.column, { focus: false, place: 'centre' });
    else await this.load();
  }

  /** Goes to another filter or order of the same class. */
  go(changes, options) {
    const params = this.views.withChanges({ ...this.#params, row: null, ...changes });
    this.context.navigate('objects', params, options);
  }

  get question() {
    return questionOf(this.#params);
  }

  /** Loads the rows. The old table stays until they are there. */
  async load({ row = rowOf(this.#params), isAgain = false } = {}) {
    const turn = ++this.#turn;
    this.element.setAttribute('aria-busy', 'true');
    try {
      const source = await this.#open(row, isAgain);
      if (turn !== this.#turn) return;
      this.filter.error = null;
      this.#showRows(source, row);
    } catch (error) {
      if (turn === this.#turn) this.#failed(error);
    } finally {
      if (turn === this.#turn) this.element.removeAttribute('aria-busy');
    }
  }

  async #open(row, isAgain) {
    const before = kept.source;
    kept.source = null;
    if (!isAgain && before && sameQuestion(before.question, this.question) && String(before.columnNames) === String(this.columns.names)) {
      before.refresh(null);
      return before;
    }
    const source = new RowSource(this.question, this.columns.names);
    await source.open(row);
    return source;
  }

  #failed(error) {
    if (error.offset !== undefined || error.code === 'invalidQuery') {
      this.filter.error = error;
      if (!this.table) replace(this.body, emptyState('No objects are shown.', h('p', null, 'Correct the filter and press Enter.')));
    } else {
      const retry = () => { this.problem.replaceChildren(); this.load({ isAgain: true }); };
      replace(this.problem, errorBlock(error, { title: 'Could not load the objects.', retry }),
        this.question.sort && h('button', { type: 'button', class: 'button small', onclick: () => this.go({ sort: null, descending: null }) }, 'Show them in the order of the store'));
      if (!this.table) this.body.replaceChildren();
    }
  }

  #showRows(source, row) {
    const isFirst = !this.table;
    this.#source = source;
    source.addEventListener('error', (event) => this.#failed(event.detail), { signal: this.#listeners.signal });
    this.problem.replaceChildren();
    if (isFirst) {
      this.actions = new TableActions(this);
      this.table = new Table({
        label: `Objects of ${visibleText(this.class.name)}`, columns: this.columns.list, source, actions: this.actions, isSelectable: isWriting(this.context),
      });
      replace(this.body, this.table.element);
      this.table.start(row);
    } else {
      this.table.setSource(source, { row });
    }
    this.changes.loaded();
    this.none.hidden = source.total > 0;
    this.#updateCount();
    this.#updateControls();
    if (!isFirst) announce(plural(source.total, 'object'));
  }

  #updateCount() {
    const { total } = this.#source;
    const all = this.context.counts?.get(this.class.name);
    const isFiltered = Boolean(this.question.query);
    this.count.textContent = isFiltered && all !== undefined ? `${formatCount(total)} of ${plural(all, 'object')}` : plural(all ?? total, 'object');
    this.rowField.max = total;
  }

  /** Takes the number of objects that a commit told. */
  updateCount() {
    if (this.#source) this.#updateCount();
  }

  #build() {
    const name = this.class.name;
    const isWritable = isWriting(this.context);
    const button = (glyph, text, action, attributes) => h('button', { type: 'button', class: 'button small', onclick: action, ...attributes }, icon(glyph), text);
    this.count = h('span', { class: 'soft object-count' });
    this.addButton = isWritable && !this.class.isEmbedded && button('plus', 'Add', () => openAdd(this.context, this.class));
    this.removeButton = isWritable && button('trash', 'Delete', () => this.removeSelected(), { disabled: true });
    this.undoButton = isWritable && button('undo', 'Undo', () => openUndo(this.context));
    this.stopped = h('div');
    this.problem = h('div');
    this.body = h('div', { class: 'objects-body' }, skeleton(6));
    this.none = h('p', { class: 'objects-none', hidden: true }, this.question.query ? 'No object matches the filter.' : 'This class has no objects.');
    this.explanation = h('div', { class: 'explanation' });
    this.shown = h('span', { class: 'soft' });
    this.rowField = h('input', { class: 'input small row-field', type: 'number', id: 'go-to-row', min: 1, inputmode: 'numeric', required: true });
    this.element = this.context.main;
    this.element.classList.add('objects-page');
    replace(this.element,
      h('div', { class: 'page-head' },
        h('h1', null, userText(name)), this.class.isEmbedded && h('span', { class: 'badge' }, 'Embedded'), this.count,
        h('div', { class: 'actions' }, this.addButton, this.removeButton, this.undoButton,
          button('columns', 'Columns', () => chooseColumns(this.context, this.columns, (list, isReset) => this.showColumns(list, isReset))),
          button('download', 'Export', () => openExport(this.context, { className: name, ...this.#exported() })))),
      this.stopped, this.views.element, this.filter.element, this.explanation, this.changes.element, this.problem, this.body, this.none,
      h('div', { class: 'objects-foot' }, this.shown,
        h('form', { class: 'inline-form go-form', onsubmit: (event) => this.#goToRow(event) },
          h('label', { for: 'go-to-row' }, 'Go to row'), this.rowField, h('button', { type: 'submit', class: 'button small' }, 'Go'))));
    this.filter.text = this.#params.query ?? '';
    this.element.addEventListener('keydown', (event) => this.#undoKey(event), { signal: this.#listeners.signal });
    this.#updateControls();
  }

  #exported() {
    const { query, sort, isDescending } = this.question;
    return { query, sort, isDescending, columns: this.columns.names };
  }

  #updateControls() {
    const isStopped = this.context.events.state === 'stopped';
    replace(this.stopped, stoppedNote(this.context.events));
    for (const control of this.element.querySelectorAll('.page-head button, .filter button, .filter input, .go-form button')) control.disabled = isStopped;
    const selected = this.table?.selection.size ?? 0;
    if (this.removeButton) {
      this.removeButton.disabled = isStopped || selected === 0;
      this.removeButton.lastChild.textContent = selected > 0 ? `Delete ${formatCount(selected)}` : 'Delete';
    }
  }

  selectionChanged() {
    this.#updateControls();
  }

  removeSelected() {
    const rows = this.table.selection.ids.map((id) => ({ class: this.class.name, id }));
    if (rows.length > 0) openRemove(this.context, rows, { done: () => { this.table.selection.clear(); this.table.focus(); } });
  }

  /** Shows other columns, and keeps the rows where they are. */
  showColumns(list, isReset = false) {
    if (isReset) this.columns.reset();
    else this.columns.set(list);
    this.#source.show(this.columns.names);
    this.table.setColumns(this.columns.list);
    announce(`${plural(this.columns.list.length, 'column')} are shown.`);
  }

  /** Tells which rows are in sight, and keeps the first in the address. */
  rowsShown(first, last) {
    const { total } = this.#source;
    this.shown.textContent = total === 0 ? '' : `Rows ${formatCount(first + 1)}–${formatCount(last + 1)} of ${formatCount(total)}`;
    clearTimeout(this.#rowTimer);
    this.#rowTimer = setTimeout(() => this.keepRow(), 400);
  }

  /** Writes the row into the address, so that the way back and a bookmark lead to it. */
  keepRow() {
    if (!this.table) return;
    const [first, last] = this.table.range;
    const { row } = this.table.active;
    const kept = row >= first && row <= last ? row : first;
    this.#params = { ...this.#params, row: kept > 0 ? kept + 1 : undefined };
    this.context.note('objects', this.#params);
  }

  #goToRow(event) {
    event.preventDefault();
    const row = Number(this.rowField.value) - 1;
    if (Number.isInteger(row) && this.table) this.table.setActive(row, Math.max(0, this.table.active.column), { place: 'centre' });
  }

  async #explain() {
    await explain(this.context, this.class.name, this.filter, this.explanation);
  }

  #undoKey(event) {
    if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey || !this.undoButton) return;
    if (event.target.matches('input, textarea')) return;
    event.preventDefault();
    openUndo(this.context, { isNewest: true });
  }
}

function rowOf(params) {
  const row = Number(params.row);
  return Number.isInteger(row) && row > 0 ? row - 1 : 0;
}
