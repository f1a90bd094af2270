// The bar that tells of changes since the table was loaded. Nothing in the table jumps before the person asks for it.

import { announce, h, replace } from './dom.js';
import { plural } from './format.js';

export class Changes {
  #page;
  #added = 0;
  #removed = 0;
  #changed = 0;
  /** True if it is not known which objects were written: a commit changed very many, or a slow answer is from before it. */
  #isUnknown = false;
  #announceTimer;
  /** The newest commits that changed objects of the class, and anything that the table shows. */
  #newest = { own: 0, shown: 0 };

  constructor(page) {
    this.#page = page;
    this.element = h('div', { class: 'changes-bar', hidden: true });
  }

  /** Takes what a commit changed, and loads the rows in sight again that it touched. */
  take({ commit, classes }) {
    const { source, class: { name } } = this.#page;
    const mine = classes.find((one) => one.name === name);
    const others = new Set(this.#page.columns.list.map((column) => column.kind.target).filter(Boolean));
    const isLinked = classes.some((one) => one !== mine && (others.has(one.name) || this.#hasPaths));
    if (mine) this.#newest.own = commit;
    if (mine || isLinked) this.#newest.shown = commit;
    if (!source) return;
    if (mine) this.#count(mine);
    if (isLinked || mine?.changed === null || mine?.removed === null) source.refresh(null);
    else if (mine) source.refresh([...mine.changed, ...mine.removed]);
    this.#page.updateCount();
    this.#draw();
  }

  /**
   * Forgets the changes that a table which was just loaded shows. A slow answer may be from before a commit that the
   * server has told of; its rows are loaded again.
   */
  loaded() {
    const { source } = this.#page;
    this.#added = 0;
    this.#removed = 0;
    this.#changed = 0;
    this.#isUnknown = source.commit < this.#newest.own;
    clearTimeout(this.#announceTimer);
    this.#draw();
    if (source.commit < this.#newest.shown) source.refresh(null);
  }

  /** Loads the table anew at the row that is in sight. */
  async show() {
    if (this.element.hidden) return;
    const hadFocus = this.element.contains(document.activeElement);
    const { table } = this.#page;
    const [first, last] = table.range;
    const row = table.active.row >= first && table.active.row <= last ? table.active.row : first;
    await this.#page.load({ row, isAgain: true });
    if (hadFocus) table.focus();
  }

  get #hasPaths() {
    return this.#page.columns.list.some((column) => column.property === null && column.name !== '#');
  }

  #count({ added, removed, changed }) {
    if (!added || !removed || !changed) this.#isUnknown = true;
    this.#added += added?.length ?? 0;
    this.#removed += removed?.length ?? 0;
    this.#changed += changed?.length ?? 0;
  }

  get #text() {
    if (this.#isUnknown) return 'Objects were written.';
    const parts = [];
    if (this.#added > 0) parts.push(`${plural(this.#added, 'object')} ${this.#added === 1 ? 'was' : 'were'} added`);
    if (this.#removed > 0) parts.push(parts.length > 0 ? `${this.#removed} removed` : `${plural(this.#removed, 'object')} ${this.#removed === 1 ? 'was' : 'were'} removed`);
    if (parts.length > 0) return `${parts.join(', ')}.`;
    // A changed value only moves an object where there is an order or a filter.
    const { query, sort } = this.#page.source.question;
    return this.#changed > 0 && (query || sort) ? `${plural(this.#changed, 'change')} may move objects in this table.` : '';
  }

  #draw() {
    const text = this.#text;
    this.element.hidden = text === '';
    if (!text) return;
    if (!this.button) {
      this.words = h('span');
      this.button = h('button', { type: 'button', class: 'button small', 'aria-keyshortcuts': 'r', onclick: () => this.show() });
      replace(this.element, this.words, this.button);
    }
    this.words.textContent = text;
    replace(this.button, this.#added > 0 || this.#isUnknown ? 'Show them ' : 'Update the table ', h('kbd', null, 'r'));
    // Commits may come ten times a second; a screen reader hears of them when they pause.
    clearTimeout(this.#announceTimer);
    this.#announceTimer = setTimeout(() => announce(text), 1500);
  }
}
