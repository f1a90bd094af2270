import { api } from './api.js';
import { emptyState, errorBlock, h, icon, replace, skeleton } from './dom.js';
import { formatCount, plural } from './format.js';
import { following } from './progress.js';
import { propertyStatistics } from './statistics.js';
import { userText } from './text.js';

const limit = 50000;

/** One class: its properties, and what their values are like. */
export async function show(context, params) {
  const one = context.schema.find(params.class);
  if (!one) return showMissing(context, params.class);
  return new ClassPage(context, one);
}

function showMissing(context, name) {
  context.setTitle('No such class');
  replace(context.main, h('h1', null, 'No such class'),
    emptyState('This store has no such class.', h('p', null, userText(name)), h('p', null, h('a', { href: context.href('classes') }, 'Show all classes'))));
  return {};
}

class ClassPage {
  #context;
  #one;
  #abort = new AbortController();
  #statistics = new Map();
  #note = h('p', { class: 'soft', role: 'status' });
  #observer;
  #request = { limit };
  #listen = (event) => this.#hasChanged(event.detail);

  constructor(context, one) {
    this.#context = context;
    this.#one = one;
    context.setTitle(one.name);
    replace(context.main, this.#head(), this.#links(), this.#properties());
    context.events.addEventListener('commit', this.#listen);
    // One pass over the objects answers for all properties, so it starts with the first that can be seen.
    this.#observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      this.#observer.disconnect();
      this.#load(this.#request);
    }, { rootMargin: '200px' });
    for (const host of this.#statistics.values()) this.#observer.observe(host);
  }

  leave() {
    this.#abort.abort();
    this.#observer.disconnect();
    this.#context.events.removeEventListener('commit', this.#listen);
  }

  #head() {
    const { href, counts } = this.#context;
    const one = this.#one;
    const link = h('a', { class: 'button', href: href('objects', { class: one.name }) }, 'Show the objects');
    this.#context.counted.then(() => {
      const count = counts.get(one.name);
      if (count !== undefined) replace(link, `Show ${plural(count, 'object')}`);
    });
    return [
      h('nav', { class: 'breadcrumb', 'aria-label': 'Breadcrumb' }, h('a', { href: href('classes') }, 'Classes')),
      h('div', { class: 'page-head' },
        h('h1', null, userText(one.name)),
        one.isEmbedded && h('span', { class: 'badge' }, 'embedded'),
        !one.isDeclared && h('span', { class: 'badge badge-warning' }, 'not declared by the app'),
        h('div', { class: 'actions' }, link)),
      one.previousNames.length > 0 && h('p', { class: 'soft' }, 'Formerly ', names(one.previousNames), '.'),
    ];
  }

  #links() {
    const { schema, href } = this.#context;
    const incoming = schema.linksTo(this.#one.name);
    if (incoming.length === 0 && this.#one.indexes.length === 0) return null;
    return h('dl', { class: 'facts class-facts' },
      incoming.length > 0 && [h('dt', null, 'Linked from'), h('dd', null, incoming.map((link, index) => [index > 0 && ', ',
        h('a', { href: href('classes', { class: link.class.name }) }, userText(link.class.name)), '.', userText(link.property.name)]))],
      this.#one.indexes.length > 0 && [h('dt', null, 'Indexes'), h('dd', null, this.#one.indexes.map((index) => h('div', null,
        names(index.properties), ' ', h('span', { class: 'badge' }, indexNames[index.kind] ?? index.kind))))]);
  }

  #properties() {
    return h('section', { class: 'section', 'aria-labelledby': 'properties-title' },
      h('div', { class: 'section-head' }, h('h2', { id: 'properties-title' }, 'Properties'), this.#note),
      this.#one.properties.length === 0
        ? emptyState('This class has no properties.')
        : h('ul', { class: 'properties' }, this.#one.properties.map((property) => this.#property(property))));
  }

  #property(property) {
    const { schema, href } = this.#context;
    const statistics = h('div', { class: 'property-statistics' }, skeleton(2, 'Waiting for the statistics…'));
    this.#statistics.set(property.name, statistics);
    const target = schema.find(property.target);
    const type = h('code', { class: 'property-type' }, userText(property.typeText));
    return h('li', { class: 'property' },
      h('div', { class: 'property-definition' },
        h('h3', null, userText(property.name)),
        h('p', null, target ? h('a', { href: href('classes', { class: target.name }) }, type) : type),
        h('p', { class: 'badges' },
          property.isPrimaryKey && h('span', { class: 'badge badge-accent' }, icon('key'), 'primary key'),
          property.isIndexed && h('span', { class: 'badge badge-accent' }, 'indexed'),
          target?.isEmbedded && h('span', { class: 'badge' }, 'owns')),
        property.default && h('p', { class: 'soft small-text' }, 'Default: ', defaultText(property.default)),
        property.cases && h('p', { class: 'soft small-text' }, 'Cases: ', names(property.cases)),
        property.previousNames.length > 0 && h('p', { class: 'soft small-text' }, 'Formerly ', names(property.previousNames))),
      statistics);
  }

  /** The values are counted again only on request: it may take long, and an app may write often. */
  #hasChanged({ classes }) {
    if (this.#note.childNodes.length === 0 || this.#note.querySelector('.is-stale') || !classes.some((one) => one.name === this.#one.name)) return;
    this.#note.append(h('span', { class: 'is-stale' }, '. Objects have changed since. ',
      h('button', { type: 'button', class: 'link-button', onclick: () => this.#load(this.#request) }, 'Count again')));
  }

  async #load(params) {
    this.#request = params;
    replace(this.#note, 'Reading the values…');
    const working = h('div', { class: 'section-progress' });
    this.#note.after(working);
    try {
      const answer = await following(this.#context.events, working, 'Statistics', (progress) =>
        api.get('/statistics', { class: this.#one.name, ...params, progress }, { signal: this.#abort.signal }));
      this.#show(answer);
    } catch (error) {
      if (error.name === 'AbortError') return;
      replace(this.#note);
      const [first, ...rest] = this.#statistics.values();
      replace(first, errorBlock(error, { title: 'Could not read the values.', retry: () => this.#load(params) }));
      for (const host of rest) replace(host);
    } finally {
      working.remove();
    }
  }

  #show(answer) {
    replace(this.#note, answer.isComplete
      ? `Values of all ${plural(answer.objects, 'object')}`
      : [`Values of the first ${formatCount(answer.objects)} objects `, h('button', { type: 'button', class: 'link-button', onclick: () => this.#load({}) }, 'Count all')]);
    const lines = new Map(answer.properties.map((line) => [line.property, line]));
    for (const property of this.#one.properties) {
      const line = lines.get(property.name);
      replace(this.#statistics.get(property.name), line && propertyStatistics(this.#context, this.#one, property, line));
    }
  }
}

const indexNames = { ordered: 'ordered', unique: 'unique', fullText: 'full text' };

function names(list) {
  return list.map((name, index) => [index > 0 && ', ', h('code', null, userText(name))]);
}

function defaultText(declared) {
  if (declared === 'generated') return 'generated for each object';
  const value = Object.values(declared.value ?? {})[0];
  if (value === '') return h('span', { class: 'token' }, 'empty');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return h('code', null, userText(text.length > 200 ? `${text.slice(0, 200)}…` : text));
}
