// The page of one object: its values, what links to it, and its record.

import { api } from './api.js';
import { details, sizeText } from './details.js';
import { emptyState, errorBlock, h, icon, replace, skeleton } from './dom.js';
import { isWriting, openEditor, openRemove, openUndo } from './edit.js';
import { linkedFrom } from './incoming.js';
import { stoppedNote } from './live.js';
import { neighbours } from './neighbours.js';
import { recordPicture } from './record.js';
import { userText, visibleText } from './text.js';
import { nameOfID } from './values.js';

export async function show(context, params) {
  const page = new ObjectPage(context, params);
  page.load();
  return page;
}

class ObjectPage {
  #context;
  #params;
  #object = null;
  #turn = 0;
  /** The newest commit that came before the object was there. */
  #newest = 0;
  #listeners = new AbortController();

  constructor(context, params) {
    this.#context = context;
    this.#params = params;
    const { signal } = this.#listeners;
    context.events.addEventListener('commit', (event) => this.#committed(event.detail), { signal });
    context.events.addEventListener('state', () => this.#updateControls(), { signal });
    context.main.addEventListener('keydown', (event) => this.#undoKey(event), { signal });
    this.stopped = h('div');
    this.body = h('div', null, skeleton(8));
    this.heading = h('h1', { tabindex: '-1' }, userText(params.name ?? ''));
    this.crumbs = h('nav', { class: 'crumbs', 'aria-label': 'Breadcrumbs' });
    this.steps = h('div', { class: 'actions steps' });
    this.tools = h('div', { class: 'actions' });
    context.main.classList.add('object-page');
    replace(context.main, h('div', { class: 'crumb-row' }, this.crumbs, this.steps),
      h('div', { class: 'page-head' }, this.heading, this.tools), this.stopped, this.body);
    this.#showCrumbs();
    context.setTitle(visibleText(`${params.class} ${params.name}`));
    neighbours(context, params, this.steps);
  }

  leave() {
    this.#listeners.abort();
    this.#turn += 1;
  }

  async update(params) {
    this.#params = params;
    this.#object = null;
    this.#showCrumbs();
    neighbours(this.#context, params, this.steps);
    await this.load();
    this.heading.focus({ preventScroll: true });
  }

  async load() {
    const turn = ++this.#turn;
    this.#context.main.setAttribute('aria-busy', 'true');
    try {
      const object = await api.get('/object', { class: this.#params.class, name: this.#params.name });
      if (turn !== this.#turn) return;
      this.#show(object);
      // A slow answer may be from before a commit that came meanwhile. The next answer is not.
      const isOld = object.commit < this.#newest;
      this.#newest = 0;
      if (isOld) await this.load();
    } catch (error) {
      if (turn !== this.#turn) return;
      if (error.status === 404 && this.#object) this.#showDeleted();
      else if (error.status === 404) replace(this.body, emptyState('This object does not exist.', h('p', null, visibleText(error.message)), h('a', { href: this.#tableAddress() }, 'Show the table')));
      else replace(this.body, errorBlock(error, { title: 'Could not load the object.', retry: () => this.load() }));
    } finally {
      if (turn === this.#turn) this.#context.main.removeAttribute('aria-busy');
    }
  }

  #tableAddress() {
    const { class: name, query, sort, descending, views, tab, row } = this.#params;
    return this.#context.href('objects', { class: name, query, sort, descending, views, tab, row });
  }

  #showCrumbs() {
    const { class: name, query } = this.#params;
    replace(this.crumbs, h('ol', null,
      h('li', null, h('a', { href: this.#context.href('overview') }, userText(this.#context.studio.name))),
      h('li', null, h('a', { href: this.#tableAddress() }, userText(name ?? ''), query && [' where ', userText(query)])),
      h('li', { 'aria-current': 'page' }, userText(visibleText(this.#object?.name ?? this.#params.name ?? '')))));
  }

  #show(object) {
    const before = this.#object;
    if (before && JSON.stringify(before) === JSON.stringify(object)) return;
    const focused = document.activeElement?.closest?.('[data-property]')?.dataset.property;
    this.#object = object;
    replace(this.heading, userText(object.class), ' ', userText(object.name));
    this.#context.setTitle(visibleText(`${object.class} ${object.name}`));
    this.#showCrumbs();
    this.#showTools();
    const changed = new Set(before?.properties.filter((property) => JSON.stringify(property.cell) !== JSON.stringify(object.properties.find((one) => one.name === property.name)?.cell)).map((property) => property.name));
    replace(this.body,
      object.version !== undefined && h('div', { class: 'notice notice-warning' }, icon('alert'), h('p', null, `An online migration has not converted this object yet. It is of schema version ${object.version}.`)),
      h('section', { 'aria-labelledby': 'values-title' },
        h('h2', { id: 'values-title', class: 'visually-hidden' }, 'Values'),
        h('dl', { class: 'value-list' }, object.properties.map((property) => this.#property(property, changed.has(property.name))))),
      linkedFrom(this.#context, object),
      recordPicture(object, this.#context.main.clientWidth));
    if (focused) this.body.querySelector(`[data-property="${CSS.escape(focused)}"] button`)?.focus();
    this.#updateControls();
  }

  #property(property, isChanged) {
    const { class: className, id } = this.#object;
    const one = this.#context.schema.find(className)?.find(property.name);
    const place = { className, id, property: property.name };
    const size = sizeText(property.cell);
    return h('div', { class: ['value-row', isChanged && 'is-changed'], dataset: { property: property.name } },
      h('dt', null,
        h('span', { class: 'value-name' }, property.isKey && [icon('key'), h('span', { class: 'visually-hidden' }, 'primary key ')], userText(property.name)),
        h('span', { class: 'faint small-text' }, userText(one?.typeText ?? property.type), size && `, ${size}`)),
      h('dd', null, h('div', { class: 'value-cell' }, details(this.#context, place, property.cell, property.type)),
        isWriting(this.#context) && one && !property.isKey && !property.cell?.lacking && h('button', { type: 'button', class: 'button small ghost icon-only edit-button', 'aria-label': `Edit ${visibleText(property.name)}`, title: 'Edit', onclick: () => this.#edit(one, property.cell) }, icon('edit'))));
  }

  #edit(property, cell) {
    const { class: className, id } = this.#object;
    openEditor(this.#context, { className, id, property, cell, closed: () => this.body.querySelector(`[data-property="${CSS.escape(property.name)}"] .edit-button`)?.focus(), written: () => this.load() });
  }

  #showTools() {
    const { class: name, id } = this.#object;
    const one = this.#context.schema.find(name);
    replace(this.tools,
      h('span', { class: 'badge' }, nameOfID(id)), one?.isEmbedded && h('span', { class: 'badge' }, 'Embedded'),
      isWriting(this.#context) && [
        h('button', { type: 'button', class: 'button small', onclick: () => openUndo(this.#context) }, icon('undo'), 'Undo'),
        h('button', { type: 'button', class: 'button small danger', onclick: () => openRemove(this.#context, [{ class: name, id }], { written: () => this.#showDeleted() }) }, icon('trash'), 'Delete'),
      ]);
  }

  #showDeleted() {
    this.#object = null;
    this.tools.replaceChildren();
    replace(this.body, emptyState('This object was deleted.', h('a', { href: this.#tableAddress() }, 'Show the table')));
    this.heading.focus();
  }

  #committed({ commit, classes }) {
    if (!this.#object) {
      this.#newest = commit;
      return;
    }
    const { class: name, id, linkedFrom: links } = this.#object;
    const mine = classes.find((one) => one.name === name);
    const has = (list) => list === null || list?.some((one) => String(one) === String(id));
    if (mine?.removed && has(mine.removed)) {
      this.#showDeleted();
      return;
    }
    const isLinked = classes.some((one) => links.some((link) => link.class === one.name) || this.#context.schema.linksTo(name).some((link) => link.class.name === one.name));
    if (isLinked || (mine && (has(mine.changed) || has(mine.removed)))) this.load();
  }

  #updateControls() {
    const isStopped = this.#context.events.state === 'stopped';
    replace(this.stopped, stoppedNote(this.#context.events));
    for (const control of this.#context.main.querySelectorAll('.page-head button, .edit-button')) control.disabled = isStopped;
  }

  #undoKey(event) {
    if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey || !isWriting(this.#context)) return;
    if (event.target.matches('input, textarea')) return;
    event.preventDefault();
    openUndo(this.#context, { isNewest: true });
  }
}
