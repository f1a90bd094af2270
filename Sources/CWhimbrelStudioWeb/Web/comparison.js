import { h, icon, replace } from './dom.js';
import { propertyChanges } from './difference.js';
import { formatCount, plural } from './format.js';
import { userText, visibleText } from './text.js';

const pageSize = 200;
const kinds = ['added', 'removed', 'changed'];
const kindNames = { added: 'Added', removed: 'Removed', changed: 'Changed' };
const kindMarks = { added: '+', removed: '−', changed: '~' };

/** What differs between two stores: the schema, the numbers by class, and the objects. */
export class ComparisonResult {
  element;
  summary;
  #context;
  #with;
  #counts = [];
  #objects = [];
  #isComplete;
  #filter = {};
  /** A link of the table above was followed, so the list must come into view. */
  #leadsToList = false;
  #shown = pageSize;
  #list = h('div', { class: 'stack-wide' });
  #bar = h('div', { class: 'filter-bar' });

  constructor(context, name, { lines, isComplete }) {
    this.#context = context;
    this.#with = name;
    this.#isComplete = isComplete;
    const schema = [];
    let versions = null;
    for (const line of lines) {
      if (line.schemaVersion) versions = line.schemaVersion;
      else if (line.renamedClass) schema.push({ kind: 'class renamed', text: `Class '${line.renamedClass.old}' has been renamed to '${line.renamedClass.new}'.` });
      else if (line.schemaChange) schema.push({ kind: words(line.schemaChange.kind), text: line.text });
      else if (line.change) this.#objects.push(line);
      else if (line.class) this.#counts.push(line);
    }
    const different = this.#counts.reduce((sum, one) => sum + one.added + one.removed + one.changed, 0);
    const isSame = different === 0 && schema.length === 0 && !versions;
    this.summary = isSame ? 'The stores are equal.' : `${plural(different, 'object')} ${different === 1 ? 'differs' : 'differ'}. ${plural(schema.length, 'schema change')}.`;
    this.element = h('div', { class: 'stack-wide' },
      this.#headline(isSame, versions),
      schema.length > 0 && h('section', { 'aria-labelledby': 'schema-title' }, h('h2', { id: 'schema-title' }, 'Schema'), h('ul', { class: 'schema-changes' },
        schema.map((change) => h('li', null, h('span', { class: 'badge' }, change.kind), ' ', userText(change.text))))),
      this.#counts.length > 0 && h('section', { 'aria-labelledby': 'counts-title' }, h('h2', { id: 'counts-title' }, 'Objects by class'), this.#table()),
      different > 0 && h('section', { 'aria-labelledby': 'objects-title' }, h('h2', { id: 'objects-title', tabindex: '-1' }, 'Objects'), this.#bar, this.#list));
  }

  /** Shows the objects of a class and a kind; without them, all. */
  filter({ class: className, kind }) {
    this.#filter = { className, kind: kinds.includes(kind) ? kind : undefined };
    this.#shown = pageSize;
    this.#showBar();
    this.#showList();
    if (!this.#leadsToList) return;
    this.#leadsToList = false;
    const heading = this.element.querySelector('#objects-title');
    heading.focus({ preventScroll: true });
    heading.scrollIntoView();
  }

  #headline(isSame, versions) {
    return h('div', { class: ['notice', isSame && 'notice-success'] }, icon(isSame ? 'check' : 'columns'), h('div', { class: 'notice-body' },
      h('p', null, h('strong', null, this.summary)),
      h('p', { class: 'soft' }, 'From ', userText(this.#with), ' (old) to ', userText(this.#context.studio.name), ' (new).',
        versions && ` The schema version went from ${formatCount(versions.old)} to ${formatCount(versions.new)}.`)));
  }

  #href(params) {
    return this.#context.href('compare', { with: this.#with, ...params });
  }

  #table() {
    const cell = (one, kind) => h('td', { class: 'number' }, one[kind] === 0 ? h('span', { class: 'faint' }, '0')
      : h('a', { href: this.#href({ class: one.class, kind }), onclick: () => { this.#leadsToList = true; }, 'aria-label': `${plural(one[kind], 'object')} of ${visibleText(one.class)} ${kind}` }, formatCount(one[kind])));
    return h('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Differing objects by class' }, h('table', { class: 'table' },
      h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Class'), ['Added', 'Removed', 'Changed', 'Same'].map((name) => h('th', { scope: 'col', class: 'number' }, name)))),
      h('tbody', null, this.#counts.map((one) => h('tr', null, h('th', { scope: 'row' }, userText(one.class)),
        kinds.map((kind) => cell(one, kind)), h('td', { class: 'number' }, formatCount(one.same)))))));
  }

  #showBar() {
    const { className, kind } = this.#filter;
    const classes = [...new Set(this.#objects.map((line) => line.class))];
    const go = (change) => this.#context.navigate('compare', { with: this.#with, class: className, kind, ...change }, { replace: true });
    const list = h('select', { class: 'select small', 'data-filter': '', id: 'compare-class', onchange: () => go({ class: list.value }) },
      h('option', { value: '' }, 'All classes'), classes.map((name) => h('option', { value: name }, visibleText(name))));
    list.value = classes.includes(className) ? className : '';
    const button = (value, text) => h('button', { type: 'button', class: 'button small', 'aria-pressed': String((kind ?? '') === value), dataset: { kind: value }, onclick: () => go({ kind: value }) }, text);
    const focused = document.activeElement?.dataset?.kind;
    const isListFocused = document.activeElement?.id === 'compare-class';
    replace(this.#bar, h('label', { class: 'check', for: 'compare-class' }, 'Class', list),
      h('div', { class: 'segmented', role: 'group', 'aria-label': 'Kind of difference' }, button('', 'All'), kinds.map((name) => button(name, kindNames[name]))));
    if (focused !== undefined) this.#bar.querySelector(`[data-kind="${focused}"]`)?.focus();
    if (isListFocused) list.focus();
  }

  #showList() {
    const { className, kind } = this.#filter;
    const found = this.#objects.filter((line) => (!className || line.class === className) && (!kind || line.change === kind));
    const shown = found.slice(0, this.#shown);
    const more = () => {
      const first = this.#shown;
      this.#shown += pageSize;
      this.#showList();
      this.#list.querySelectorAll('tbody tr')[first]?.querySelector('a, td')?.focus();
    };
    replace(this.#list,
      h('p', { class: 'soft', role: 'status' }, found.length === 0 ? 'No object differs in this way.' : plural(found.length, 'object'), !this.#isComplete && '. The list ends after 10,000 lines; there are more.'),
      shown.length > 0 && h('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Differing objects' }, h('table', { class: 'table compare-table' },
        h('thead', null, h('tr', null, ['Kind', 'Object', 'Old and new values'].map((name) => h('th', { scope: 'col' }, name)))),
        h('tbody', null, shown.map((line) => this.#row(line))))),
      shown.length < found.length && h('p', null, h('button', { type: 'button', class: 'button', onclick: more }, `Show more of ${formatCount(found.length)}`)));
  }

  #row(line) {
    const name = String(line.key ?? `id:${line.id}`);
    const label = [h('span', { class: 'link-class' }, userText(line.class)), ' ', userText(name)];
    // An object that was removed is not in this store.
    const object = line.change === 'removed' ? label : h('a', { href: this.#context.href('object', { class: line.class, name }) }, label);
    return h('tr', null,
      h('td', { class: 'nowrap' }, h('span', { class: `badge difference-${line.change}` }, h('span', { 'aria-hidden': 'true' }, kindMarks[line.change]), kindNames[line.change])),
      h('td', { class: 'wrap' }, object),
      h('td', null, line.properties && propertyChanges(line.properties)));
  }
}

/** 'propertyAdded' as 'property added'. */
function words(kind) {
  return kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
