// Named views of a class: filters and orders that stay in the address.

import { announce, h, icon, openDialog, replace } from './dom.js';
import { userText, visibleText } from './text.js';

/**
 * The parameter `views` is JSON: `[["North", "latitude > 60", "latitude", true], …]`, each with its name, query, sort
 * and whether it is descending. `tab` is the number of the one that is shown.
 */
export class Views {
  #context;
  #params;

  /** `params` returns the parameters of the page. */
  constructor(context, params) {
    this.#context = context;
    this.#params = params;
    this.element = h('nav', { class: 'views', 'aria-label': 'Views' });
    this.update();
  }

  get list() {
    return parse(this.#params().views);
  }

  get #current() {
    const { tab } = this.#params();
    return tab === undefined ? -1 : Number(tab);
  }

  /** The parameters for a change of the filter or the order, which is kept in the view that is shown. */
  withChanges(params) {
    const list = parse(params.views);
    const current = Number(params.tab ?? -1);
    if (!list[current]) return params;
    list[current] = { name: list[current].name, query: params.query, sort: params.sort, descending: Boolean(params.descending) };
    return { ...params, views: format(list) };
  }

  update() {
    const list = this.list;
    replace(this.element,
      list.length > 0 && h('ul', { class: 'view-list' },
        h('li', null, this.#link(null, 'All', -1)),
        list.map((view, index) => h('li', null, this.#link(view, userText(view.name), index)))),
      h('button', { type: 'button', class: 'button small ghost', onclick: () => this.#ask('Add a view', '', (name) => this.#add(name)) }, icon('plus'), list.length > 0 ? 'Add' : 'Keep as a view'),
      list[this.#current] && [
        h('button', { type: 'button', class: 'button small ghost', onclick: () => this.#ask('Rename the view', list[this.#current].name, (name) => this.#rename(name)) }, icon('edit'), 'Rename'),
        h('button', { type: 'button', class: 'button small ghost', onclick: () => this.#remove() }, icon('close'), 'Remove'),
      ]);
  }

  #link(view, content, index) {
    const params = { class: this.#params().class, query: view?.query, sort: view?.sort, descending: view?.descending, views: this.#params().views, tab: view ? index : undefined };
    return h('a', { class: 'view-link', href: this.#context.href('objects', params), 'aria-current': index === this.#current ? 'true' : null, title: view ? visibleText(view.query || 'All objects') : null }, content);
  }

  #go(list, changes) {
    this.#context.navigate('objects', { ...this.#params(), views: format(list), ...changes });
  }

  #add(name) {
    const { query, sort, descending } = this.#params();
    const list = [...this.list, { name, query, sort, descending: descending === '1' }];
    this.#go(list, { tab: list.length - 1 });
    announce(`The view ${visibleText(name)} was added.`);
    this.#focusCurrent();
  }

  #rename(name) {
    const list = this.list;
    list[this.#current].name = name;
    this.#go(list, {});
    this.#focusCurrent();
  }

  #remove() {
    const list = this.list;
    const [removed] = list.splice(this.#current, 1);
    this.#go(list, { tab: null });
    announce(`The view ${visibleText(removed.name)} was removed.`);
    this.#focusCurrent();
  }

  /** Once the address has changed, focuses the current view, or the button where there is none. */
  #focusCurrent() {
    setTimeout(() => (this.element.querySelector('[aria-current]') ?? this.element.querySelector('button')).focus(), 50);
  }

  #ask(title, name, done) {
    const field = h('input', { class: 'input', id: 'view-name', required: true, maxlength: 60, value: name, autocomplete: 'off', autofocus: true });
    const form = h('form', { class: 'dialog-form', id: 'view-form', onsubmit: (event) => {
      event.preventDefault();
      const text = field.value.trim();
      if (!text) return;
      dialog.close();
      done(text);
    } }, h('div', { class: 'field' }, h('label', { for: 'view-name' }, 'Name'), field));
    const dialog = openDialog(title, form, {
      footer: [
        h('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, 'Cancel'),
        h('button', { type: 'submit', class: 'button primary', form: 'view-form' }, 'Save'),
      ],
    });
    field.select();
  }
}

function parse(text) {
  try {
    return JSON.parse(text ?? '[]').map(([name, query, sort, descending]) => ({
      name: String(name), query: query ? String(query) : undefined, sort: sort ? String(sort) : undefined, descending: descending === true,
    }));
  } catch {
    return [];
  }
}

function format(list) {
  return list.length === 0 ? null : JSON.stringify(list.map(({ name, query, sort, descending }) => [name, query ?? '', sort ?? '', descending === true]));
}
