import { errorBlock, h, replace, skeleton } from './dom.js';
import { visibleText } from './text.js';

const pages = {
  overview: () => import('./overview.js'),
  classes: () => import('./classes.js'),
  objects: () => import('./objects.js'),
  object: () => import('./object.js'),
  compare: () => import('./compare.js'),
  plan: () => import('./plan.js'),
};

/** Shows the page that the fragment of the address names. */
export class Router {
  #context;
  #page = null;
  #route = null;
  /** Grows with each navigation, so that a slow page does not replace a newer one. */
  #turn = 0;
  #scrolls = new Map();
  #entry = 0;
  /** The fragment that is shown. The address is ahead of it until `hashchange` arrives. */
  #shown = '';

  onchange = () => {};

  constructor(context) {
    this.#context = context;
  }

  get route() {
    return this.#route;
  }

  async start() {
    history.scrollRestoration = 'manual';
    addEventListener('hashchange', () => this.#show());
    addEventListener('scroll', () => this.#scrolls.set(this.#entry, scrollY), { passive: true });
    document.getElementById('skip-link').addEventListener('click', (event) => {
      event.preventDefault();
      this.focusHeading();
    });
    await this.#show({ isFirst: true });
  }

  /** The fragment of a page. Parameters that are null, undefined, false or empty are left out. */
  href(route, params) {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(params ?? {})) {
      if (value === undefined || value === null || value === false || value === '') continue;
      search.set(name, value === true ? '1' : String(value));
    }
    const text = search.toString();
    return `#/${route}${text ? `?${text}` : ''}`;
  }

  /** Goes to a page. With `replace`, no entry is added to the history. */
  navigate(route, params, { replace: isReplacing = false } = {}) {
    const target = this.href(route, params);
    if (target === location.hash) return;
    if (isReplacing) {
      history.replaceState(history.state, '', target);
      this.#show({ keepsScroll: true });
    } else {
      location.hash = target;
    }
  }

  /** Writes into the address what a page wants to find there again, unless the address already leads elsewhere. */
  note(route, params) {
    if (location.hash !== this.#shown) return;
    history.replaceState(history.state, '', this.href(route, params));
    this.#shown = location.hash;
  }

  async reload() {
    await this.#show({ isForced: true, keepsScroll: true });
  }

  setTitle(text) {
    document.title = visibleText(`${text} · ${this.#context.studio.name} · Whimbrel Studio`);
  }

  /** Moves the focus to the heading of the page, so that a screen reader says where it is. */
  focusHeading() {
    const heading = this.#context.main.querySelector('h1') ?? this.#context.main;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }

  async #show({ isFirst = false, isForced = false, keepsScroll = false } = {}) {
    this.#shown = location.hash;
    const { route, params } = parse(this.#shown);
    const turn = ++this.#turn;
    const scroll = keepsScroll ? scrollY : this.#scrollOfEntry();
    if (!isForced && this.#page?.update && this.#route?.name === route) {
      this.#route = { name: route, params };
      this.onchange(this.#route);
      await this.#page.update(params);
      return;
    }
    this.#page?.leave?.();
    this.#page = null;
    this.#route = { name: route, params };
    this.onchange(this.#route);
    // Each page has an element of its own, so that a slow one cannot write into the next.
    const main = h('div', { class: 'page' }, h('h1', { class: 'visually-hidden' }, 'Loading'), skeleton(4));
    replace(this.#context.main, main);
    try {
      const module = await pages[route]();
      if (turn !== this.#turn) return;
      const page = await module.show({ ...this.#context, main }, params);
      if (turn !== this.#turn) {
        page?.leave?.();
        return;
      }
      this.#page = page ?? {};
    } catch (error) {
      if (turn !== this.#turn) return;
      replace(main, h('h1', null, 'This page could not be shown'), errorBlock(error, { retry: () => this.reload() }));
      this.setTitle('Error');
    }
    scrollTo(0, scroll);
    if (!isFirst && !isForced) this.focusHeading();
  }

  /** Names the entry of the history, and answers how far it was scrolled when it was last shown. */
  #scrollOfEntry() {
    const known = history.state?.whimbrelEntry;
    if (known !== undefined) {
      this.#entry = known;
      return this.#scrolls.get(known) ?? 0;
    }
    this.#entry = Date.now() + Math.random();
    history.replaceState({ ...history.state, whimbrelEntry: this.#entry }, '');
    return 0;
  }
}

function parse(hash) {
  const [path, search = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const params = Object.fromEntries(new URLSearchParams(search));
  return Object.hasOwn(pages, path) ? { route: path, params } : { route: 'overview', params: {} };
}
