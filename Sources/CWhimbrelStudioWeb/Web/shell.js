import { api } from './api.js';
import { h, icon, replace, toast } from './dom.js';
import { formatCount } from './format.js';
import { theme } from './preferences.js';
import { showShortcuts } from './shortcuts.js';
import { userText, visibleText } from './text.js';

const filterThreshold = 12;

/** The header and the side bar around each page. */
export class Shell {
  #context;
  #route = null;
  #filter = '';

  constructor(context) {
    this.#context = context;
    this.#showStore();
    this.#showActions();
    this.#showClasses();
    context.counted = this.#loadCounts();
    context.events.addEventListener('commit', (event) => this.#count(event.detail?.classes ?? []));
    context.events.addEventListener('lost', (event) => banner(event.detail?.message ?? 'The file of the store was moved or deleted.'));
    context.events.addEventListener('goodbye', () => banner('The server has stopped. Start ‘whimbrel studio’ again to continue.'));
  }

  /** Marks the links of the page that is shown. */
  show(route) {
    this.#route = route;
    for (const link of document.querySelectorAll('#side-links a')) {
      markCurrent(link, link.dataset.route === route.name && !route.params.class);
    }
    for (const link of document.querySelectorAll('#side-classes a[data-class]')) {
      markCurrent(link, link.dataset.class === route.params.class);
    }
    this.#closeMenu();
  }

  refresh() {
    this.#context.counts.clear();
    this.#showStore();
    this.#showClasses();
    this.#context.counted = this.#loadCounts();
  }

  #showStore() {
    const { studio, schema } = this.#context;
    replace(document.getElementById('store'),
      h('span', { class: 'store-name', title: visibleText(studio.path) }, userText(studio.name)),
      h('span', { class: 'badge' }, `Schema version ${schema.version}`),
      h('span', { class: ['badge', studio.isWritable ? 'badge-warning' : 'badge-quiet'] }, studio.isWritable ? 'Writable' : 'Read-only'));
  }

  #showActions() {
    const menu = h('button', {
      type: 'button', class: 'button menu-button', id: 'menu-button', 'aria-expanded': 'false', 'aria-controls': 'side',
      onclick: () => this.#toggleMenu(),
    }, icon('menu'), 'Menu');
    const choice = h('select', { class: 'select small', 'aria-label': 'Theme', title: 'Theme', onchange: () => { theme.current = choice.value; } },
      ['system', 'light', 'dark'].map((name) => h('option', { value: name, selected: theme.current === name }, themeNames[name])));
    replace(document.getElementById('top-actions'), choice,
      h('button', { type: 'button', class: 'button ghost icon-only', 'aria-label': 'Keyboard shortcuts', title: 'Keyboard shortcuts (?)', onclick: showShortcuts }, icon('help')),
      menu);
  }

  #showClasses() {
    const { schema } = this.#context;
    const list = h('ul', { class: 'side-classes' });
    const status = h('p', { class: 'side-none', hidden: true }, 'No class has this name.');
    const fill = () => {
      const text = this.#filter.toLocaleLowerCase();
      const found = schema.classes.filter((one) => one.name.toLocaleLowerCase().includes(text));
      replace(list, found.map((one) => this.#classItem(one)));
      status.hidden = found.length > 0;
      if (this.#route) this.#markClasses();
    };
    const filter = schema.classes.length > filterThreshold && h('input', {
      type: 'search', class: 'input small side-filter', id: 'side-filter', 'aria-label': 'Filter classes by name', placeholder: 'Filter classes', value: this.#filter,
      oninput: (event) => { this.#filter = event.target.value; fill(); },
    });
    replace(document.getElementById('side-classes'),
      h('h2', { class: 'side-title', id: 'side-title' }, 'Objects'), filter, list, status);
    list.setAttribute('aria-labelledby', 'side-title');
    fill();
  }

  #classItem(one) {
    const count = this.#context.counts.get(one.name);
    return h('li', null, h('a', { href: this.#context.href('objects', { class: one.name }), dataset: { class: one.name } },
      h('span', { class: 'side-class-name', title: visibleText(one.name) }, userText(one.name)),
      one.isEmbedded && h('span', { class: 'side-mark' }, h('span', { 'aria-hidden': 'true', title: 'Embedded: each object belongs to another one' }, '◆'), h('span', { class: 'visually-hidden' }, ' embedded')),
      h('span', { class: 'count' }, count === undefined ? '' : formatCount(count), count !== undefined && h('span', { class: 'visually-hidden' }, count === 1 ? ' object' : ' objects'))));
  }

  #markClasses() {
    for (const link of document.querySelectorAll('#side-classes a[data-class]')) markCurrent(link, link.dataset.class === this.#route.params.class);
  }

  async #loadCounts() {
    try {
      const { classes } = await api.get('/info');
      // A commit that was told meanwhile may be later than this answer.
      this.#count(classes.filter((one) => !this.#context.counts.has(one.name)));
    } catch {
      // The overview says what is wrong; the list works without numbers.
    }
  }

  #count(classes) {
    for (const one of classes) this.#context.counts.set(one.name, one.objects);
    for (const link of document.querySelectorAll('#side-classes a[data-class]')) {
      const count = this.#context.counts.get(link.dataset.class);
      if (count === undefined) continue;
      replace(link.querySelector('.count'), formatCount(count), h('span', { class: 'visually-hidden' }, count === 1 ? ' object' : ' objects'));
    }
  }

  #toggleMenu() {
    const button = document.getElementById('menu-button');
    const isOpen = button.getAttribute('aria-expanded') !== 'true';
    button.setAttribute('aria-expanded', String(isOpen));
    document.getElementById('side').classList.toggle('is-open', isOpen);
  }

  #closeMenu() {
    document.getElementById('menu-button')?.setAttribute('aria-expanded', 'false');
    document.getElementById('side').classList.remove('is-open');
  }
}

const themeNames = { system: 'System', light: 'Light', dark: 'Dark' };

function markCurrent(link, isCurrent) {
  if (isCurrent) link.setAttribute('aria-current', 'page');
  else link.removeAttribute('aria-current');
}

/** Shows what no page can work around, above all of them. */
function banner(message) {
  toast(message, { kind: 'error' });
}
