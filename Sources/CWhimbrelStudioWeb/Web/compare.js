import { api } from './api.js';
import { announce, errorBlock, h, replace, skeleton } from './dom.js';
import { ComparisonResult } from './comparison.js';
import { following } from './progress.js';
import { storeChoice } from './store-choice.js';
import { userText } from './text.js';

/** Compares this store with another one. */
export async function show(context, params) {
  const page = new ComparePage(context);
  page.update(params);
  return page;
}

class ComparePage {
  #context;
  #choice = storeChoice('Compare with', 'compare-store');
  #result = h('div', { class: 'compare-result' });
  #with = null;
  #abort = null;
  #comparison = null;

  constructor(context) {
    this.#context = context;
    const form = h('form', { class: 'choice-form', onsubmit: (event) => {
      event.preventDefault();
      this.#submit();
    } }, this.#choice.element, h('button', { class: 'button primary' }, 'Compare'));
    replace(context.main,
      h('div', { class: 'page-head' }, h('h1', null, 'Compare')),
      h('p', { class: 'lead' }, 'Shows what changed from another store to this one: an older copy, a backup, or a store from another device.'),
      form, this.#result);
    this.#choice.load();
  }

  async update(params) {
    this.#context.setTitle(params.with ? `Compare with ${params.with}` : 'Compare');
    if (params.with && params.with === this.#with && this.#comparison) {
      this.#comparison.filter(params);
      return;
    }
    this.#with = params.with ?? null;
    this.#abort?.abort();
    this.#comparison = null;
    this.#choice.select(this.#with);
    replace(this.#result);
    if (this.#with) await this.#load(params);
  }

  leave() {
    this.#abort?.abort();
  }

  #submit() {
    const value = this.#choice.value();
    if (!value) {
      this.#choice.focus();
      return;
    }
    this.#comparison = null;
    const isSame = value === this.#with;
    this.#context.navigate('compare', { with: value });
    if (isSame) this.update({ with: value });
  }

  async #load(params) {
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const working = h('div', null, skeleton(4, ''));
    replace(this.#result, h('p', { class: 'soft' }, 'Comparing with ', userText(this.#with), '…'), working);
    try {
      const answer = await following(this.#context.events, working, 'Comparison of the stores', (progress) =>
        api.get('/diff', { with: this.#with, progress }, { signal }));
      if (signal.aborted) return;
      this.#comparison = new ComparisonResult(this.#context, this.#with, answer);
      replace(this.#result, this.#comparison.element);
      this.#comparison.filter(params);
      announce(this.#comparison.summary);
    } catch (error) {
      if (error.name === 'AbortError') return;
      replace(this.#result, errorBlock(error, { title: 'Could not compare the stores.', retry: () => this.#load(params) }));
    }
  }
}
