import { api } from './api.js';
import { announce, errorBlock, h, icon, replace, skeleton } from './dom.js';
import { schemaSource } from './schema-source.js';
import { storeChoice } from './store-choice.js';
import { planResult } from './plan-result.js';
import { following } from './progress.js';
import { userText } from './text.js';

/** What was pasted last, so that going back shows it again. A schema is too long for the address. */
let lastSchema = '';

/** Plans a migration of the store to another schema. */
export async function show(context, params) {
  const page = new PlanPage(context);
  page.update(params);
  return page;
}

class PlanPage {
  #context;
  #schema = schemaSource(lastSchema);
  #store = storeChoice('Store that has the schema', 'plan-store');
  #check = h('input', { type: 'checkbox', checked: true });
  #schemaPart;
  #storePart;
  #result = h('div', { class: 'plan-result' });
  #abort = null;

  constructor(context) {
    this.#context = context;
    context.setTitle('Plan a migration');
    this.#schemaPart = h('div', null, this.#schema.element);
    this.#storePart = h('div', { hidden: true }, this.#store.element);
    const radio = (value, label) => h('label', { class: 'check' },
      h('input', { type: 'radio', name: 'plan-source', value, checked: value === 'schema', onchange: () => this.#choose(value) }), label);
    replace(context.main,
      h('div', { class: 'page-head' }, h('h1', null, 'Plan a migration')),
      h('p', { class: 'lead' }, 'Shows what opening the store with another schema would do, and what it takes. Nothing is written.'),
      context.studio.appSchema && this.#offer(),
      h('form', { class: 'card plan-form', onsubmit: (event) => { event.preventDefault(); this.#submit(); } },
        h('fieldset', { class: 'plain-fieldset' }, h('legend', null, context.studio.appSchema ? 'Or choose another schema' : 'Choose a schema'),
          radio('schema', 'A schema as JSON'), radio('store', 'The schema of another store')),
        this.#schemaPart, this.#storePart,
        h('label', { class: 'check' }, this.#check, 'Read every object, to find data that stands in the way'),
        h('div', null, h('button', { class: 'button primary' }, 'Plan'))),
      this.#result);
    this.#store.load();
  }

  async update(params) {
    this.#abort?.abort();
    if (params.store) {
      this.#choose('store');
      this.#context.main.querySelector('input[value="store"]').checked = true;
      this.#store.select(params.store);
      await this.#plan({ store: params.store }, params.store);
    } else if (params.app) {
      await this.#plan({ appSchema: true }, this.#context.studio.appSchema ?? 'the app’s schema');
    } else {
      replace(this.#result);
    }
  }

  leave() {
    this.#abort?.abort();
    lastSchema = this.#schema.text();
  }

  #offer() {
    return h('section', { class: 'notice plan-offer', 'aria-labelledby': 'offer-title' }, icon('file'), h('div', { class: 'notice-body' },
      h('h2', { id: 'offer-title' }, 'Migrate to the app’s schema'),
      h('p', { class: 'soft' }, 'The server was started with ', h('code', null, userText(this.#context.studio.appSchema)), '.'),
      h('p', null, h('button', { type: 'button', class: 'button primary', onclick: () => this.#go({ app: '1' }) }, 'Show the plan'))));
  }

  #choose(value) {
    this.#schemaPart.hidden = value !== 'schema';
    this.#storePart.hidden = value !== 'store';
  }

  #go(params) {
    if (this.#context.href('plan', params) === location.hash) this.update(params);
    else this.#context.navigate('plan', params);
  }

  #submit() {
    if (!this.#storePart.hidden) {
      const store = this.#store.value();
      if (store) this.#go({ store });
      else this.#store.focus();
      return;
    }
    const schema = this.#schema.read();
    if (!schema) return;
    this.#context.navigate('plan', {}, { replace: true });
    this.#plan({ schema }, this.#schema.name());
  }

  async #plan(body, name) {
    this.#abort?.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const isChecked = this.#check.checked;
    const working = h('div', null, skeleton(4, 'Planning the migration…'));
    replace(this.#result, h('h2', null, 'Plan'), working);
    try {
      const outlook = await following(this.#context.events, working, 'Plan of the migration', (progress) =>
        api.post('/plan', body, { params: { check: isChecked, progress }, signal }));
      if (signal.aborted) return;
      const result = planResult(this.#context, outlook, name);
      replace(this.#result, result.element);
      announce(result.headline);
      result.element.querySelector('h2').focus({ preventScroll: true });
      result.element.scrollIntoView({ block: 'nearest' });
    } catch (error) {
      if (error.name === 'AbortError') return;
      replace(this.#result, errorBlock(error, { title: 'Could not plan the migration.', retry: () => this.#plan(body, name) }));
    }
  }
}
