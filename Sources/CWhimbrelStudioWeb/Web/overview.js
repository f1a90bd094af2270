import { api } from './api.js';
import { debounce, errorBlock, h, icon, replace, skeleton } from './dom.js';
import { CheckPanel } from './check.js';
import { dateElement, formatBytes, formatCount, formatDuration, formatShare, plural } from './format.js';
import { showSizes } from './sizes.js';
import { userText, visibleText } from './text.js';

const shownMigrations = 8;

export async function show(context) {
  const page = new Overview(context);
  page.load();
  return page;
}

class Overview {
  #context;
  #facts = h('div', null, skeleton(6, 'Loading the store information…'));
  #transition = h('div');
  #sizes = h('div', { class: 'sizes' }, skeleton(5, 'Loading the sizes…'));
  #history = h('div', null, skeleton(2, 'Loading the migrations…'));
  #check = h('div', null, skeleton(2, 'Loading the check…'));
  #panel;
  #map = null;
  #isStale = false;
  #shownHistory = -1;
  #abort = new AbortController();
  #refresh = debounce(() => this.#loadNumbers(), 1000);
  #listen = () => this.#refresh();

  constructor(context) {
    this.#context = context;
    this.#panel = new CheckPanel(this.#check, context);
    context.setTitle('Overview');
    context.events.addEventListener('commit', this.#listen);
    this.#sizes.addEventListener('focusout', () => { if (this.#isStale) this.#refresh(); });
    replace(context.main,
      h('div', { class: 'page-head' }, h('h1', null, 'Overview')),
      this.#transition,
      h('div', { class: 'overview-top' },
        h('section', { class: 'card', 'aria-labelledby': 'about-title' }, h('h2', { id: 'about-title' }, 'Store'), this.#facts),
        h('section', { class: 'card', 'aria-labelledby': 'check-title' }, h('h2', { id: 'check-title' }, 'Check'), this.#check)),
      h('section', { class: 'section', 'aria-labelledby': 'sizes-title' }, h('div', { class: 'section-head' }, h('h2', { id: 'sizes-title' }, 'Size on disk')), this.#sizes),
      h('section', { class: 'section', 'aria-labelledby': 'history-title' }, h('div', { class: 'section-head' }, h('h2', { id: 'history-title' }, 'Migrations')), this.#history));
  }

  async load() {
    const info = await this.#loadNumbers();
    if (info && !this.#abort.signal.aborted) this.#panel.start(info.fileSize);
  }

  leave() {
    this.#abort.abort();
    this.#refresh.cancel();
    this.#panel.leave();
    this.#map?.leave();
    this.#context.events.removeEventListener('commit', this.#listen);
  }

  async #loadNumbers() {
    const { signal } = this.#abort;
    const sizes = this.#part(this.#sizes, 'Could not measure the store.', () => api.get('/sizes', null, { signal }), (answer) => {
      // A new drawing would take the focus away from who is in the old one.
      this.#isStale = this.#map !== null && this.#sizes.contains(document.activeElement);
      if (this.#isStale) return;
      const isOpen = this.#sizes.querySelector('details')?.open ?? false;
      this.#map?.leave();
      this.#map = showSizes(this.#sizes, answer, this.#context);
      this.#sizes.querySelector('details').open = isOpen;
    });
    const info = await this.#part(this.#facts, 'Could not read the store information.', () => api.get('/info', null, { signal }), (answer) => {
      replace(this.#facts, facts(answer, this.#context.studio));
      if (this.#shownHistory !== answer.history.length) replace(this.#history, history(answer.history));
      this.#shownHistory = answer.history.length;
      replace(this.#transition, answer.transition && transition(answer.transition, this.#context));
    });
    await sizes;
    return info;
  }

  async #part(host, title, load, fill) {
    try {
      const answer = await load();
      if (this.#abort.signal.aborted) return undefined;
      fill(answer);
      return answer;
    } catch (error) {
      if (error.name !== 'AbortError') replace(host, errorBlock(error, { title, retry: () => this.#loadNumbers() }));
      return undefined;
    }
  }
}

function facts(info, studio) {
  const objects = info.classes.reduce((sum, one) => sum + one.objects, 0);
  const fact = (name, ...value) => [h('dt', null, name), h('dd', null, value)];
  return h('dl', { class: 'facts' },
    fact('Schema version', formatCount(info.schemaVersion)),
    fact('Content', `${plural(objects, 'object')} of ${plural(info.classes.length, 'class', 'classes')}`),
    fact('File', formatBytes(info.fileSize), h('span', { class: 'faint' }, `, format ${info.formatVersion}`)),
    fact('Path', h('code', null, userText(studio.path))),
    fact('UUID', h('code', null, info.uuid)),
    fact('Created', dateElement(info.created, { withUTC: true })),
    fact('Last writer', userText(info.lastWriter)),
    fact('Open readers', formatCount(info.readers),
      info.readers > 0 && h('span', { class: 'faint' }, '. Their snapshots keep old pages from being freed.')));
}

function history(entries) {
  if (entries.length === 0) return h('p', { class: 'soft' }, 'This store has not been migrated.');
  const newest = [...entries].reverse();
  const list = h('ol', { class: 'migrations' }, newest.slice(0, shownMigrations).map(migration));
  const rest = newest.slice(shownMigrations);
  if (rest.length === 0) return list;
  const button = h('button', { type: 'button', class: 'button small', onclick: () => {
    list.append(...rest.map(migration));
    button.remove();
    list.children[shownMigrations].querySelector('h3').focus();
  } }, `Show ${plural(rest.length, 'earlier migration')}`);
  return [list, h('p', { class: 'after-list' }, button)];
}

function migration(entry) {
  return h('li', { class: 'migration' },
    h('h3', { tabindex: '-1' }, `Version ${entry.from} to ${entry.to}`),
    h('p', { class: 'faint small-text' }, dateElement(entry.date),
      entry.objects > 0 && `, ${plural(entry.objects, 'object')} rewritten`, entry.duration > 0 && ` in ${formatDuration(entry.duration)}`,
      entry.library && [', by Whimbrel ', userText(entry.library)]),
    h('ul', { class: 'bullets' }, entry.changes.map((change) => h('li', null, userText(change)))));
}

function transition(state, context) {
  return h('section', { class: 'notice notice-warning transition', 'aria-labelledby': 'transition-title' }, icon('refresh'),
    h('div', { class: 'notice-body' },
      h('h2', { id: 'transition-title' }, 'An online migration is under way'),
      state.started && h('p', { class: 'soft' }, 'Started ', dateElement(state.started), '. The app converts the objects while it runs.'),
      h('ul', { class: 'transition-classes' }, state.classes.map((one) => progress(one, context))),
      state.unset > 0 && h('p', null, `${plural(state.unset, 'object')} got a default, because no rule set a value.`)));
}

function progress(one, context) {
  const done = one.total - one.waiting;
  return h('li', { class: 'stack' },
    h('p', null, h('a', { href: context.href('objects', { class: one.name }) }, userText(one.name)),
      `: ${formatCount(done)} of ${plural(one.total, 'object')} visited (${formatShare(done, one.total)}), from schema version ${one.versions.join(', ')}`),
    h('progress', { max: one.total || 1, value: done, 'aria-label': `Objects of ${visibleText(one.name)} visited` }),
    one.failed.length > 0 && h('p', null, 'Cannot be converted: ', one.failed.map((name, index) => [index > 0 && ', ',
      h('a', { href: context.href('object', { class: one.name, name }) }, userText(name))]),
    one.failedCount > one.failed.length && ` … ${formatCount(one.failedCount)} in all`));
}
