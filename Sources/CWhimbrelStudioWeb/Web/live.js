// The stream of events from the server, and a light that says whether it is open.

import { api } from './api.js';
import { h, icon, toast } from './dom.js';

const words = {
  connecting: ['Connecting', 'The page waits for the server.'],
  live: ['Live', 'Changes appear as they are written.'],
  reconnecting: ['Reconnecting', 'The connection to the server was lost. The page tries again.'],
  stopped: ['Stopped', 'The page no longer shows changes.'],
};
const kinds = ['commit', 'check', 'schema', 'lost', 'edit', 'progress', 'goodbye'];

/**
 * Listens to the server and dispatches its events with their `detail`. The page shows `commit`.
 * `events.state` and the event `state` tell 'connecting', 'live', 'reconnecting' or 'stopped'.
 */
export function connect(events, commit) {
  const stream = new Stream(events, commit);
  showLight(events);
  stream.open();
  return stream;
}

class Stream {
  #events;
  #source = null;
  /** The commit that the page shows. */
  #commit;
  #delay = 500;
  #wasOpen = false;

  constructor(events, commit) {
    this.#events = events;
    this.#commit = commit;
  }

  open() {
    this.#tell(this.#wasOpen ? 'reconnecting' : 'connecting');
    const source = new EventSource(api.url('/events'));
    this.#source = source;
    source.addEventListener('open', () => this.#opened());
    source.addEventListener('error', () => this.#failed());
    for (const kind of kinds) source.addEventListener(kind, (event) => this.#received(kind, event.data));
  }

  async #opened() {
    this.#delay = 500;
    this.#tell('live');
    this.#wasOpen = true;
    await this.#compareCommits();
  }

  #failed() {
    if (this.#events.state === 'stopped') return;
    this.#tell('reconnecting');
    if (this.#source.readyState !== EventSource.CLOSED) return;
    // The browser has given up, as after an answer that is not a stream.
    setTimeout(() => this.#tryAgain(), this.#delay);
    this.#delay = Math.min(this.#delay * 2, 10000);
  }

  /** Connects again, unless another server with another token has taken the place of this one. */
  async #tryAgain() {
    if (this.#events.state === 'stopped') return;
    try {
      await api.get('/studio');
    } catch (error) {
      if (error.status === 403) {
        this.#received('goodbye', '{}');
        return;
      }
    }
    this.open();
  }

  #received(kind, data) {
    let detail;
    try {
      detail = JSON.parse(data);
    } catch {
      return;
    }
    if (kind === 'commit' || kind === 'schema') this.#commit = detail.commit ?? this.#commit;
    if (kind === 'schema') toast('The schema or the indexes of the store have changed. The page was loaded again.');
    if (kind === 'goodbye' || kind === 'lost') {
      this.#source.close();
      this.#tell('stopped');
    }
    this.#events.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  /** Tells of commits that were written while there was no connection. What they changed is not known. */
  async #compareCommits() {
    const shown = this.#commit;
    try {
      const { commit } = await api.get('/studio');
      if (commit === shown) return;
      // An event may have told of a later commit meanwhile, but not of those before it.
      if (this.#commit === shown) this.#commit = commit;
      const { classes } = await api.get('/info');
      const detail = { commit, classes: classes.map(({ name, objects }) => ({ name, objects, added: null, removed: null, changed: null })) };
      this.#events.dispatchEvent(new CustomEvent('commit', { detail }));
    } catch {
      // The next connection tries again.
      this.#commit = shown;
    }
  }

  #tell(state) {
    if (this.#events.state === state) return;
    this.#events.state = state;
    this.#events.dispatchEvent(new CustomEvent('state', { detail: { state } }));
  }
}

/** Puts the light into the header, where every page has it. */
function showLight(events) {
  const word = h('span', { class: 'live-word' });
  const light = h('span', { class: 'live', role: 'status' }, h('span', { class: 'live-light', 'aria-hidden': 'true' }), word);
  const update = () => {
    const [text, title] = words[events.state ?? 'connecting'];
    light.dataset.state = events.state ?? 'connecting';
    light.title = title;
    word.textContent = text;
  };
  events.addEventListener('state', update);
  update();
  document.getElementById('top-actions')?.prepend(light);
}

/** A note above a page that can no longer work, or null. */
export function stoppedNote(events) {
  if (events.state !== 'stopped') return null;
  return h('div', { class: 'notice notice-danger stopped-note' }, icon('alert'),
    h('div', { class: 'notice-body' },
      h('p', null, h('strong', null, 'This page no longer works.')),
      h('p', null, 'The server has stopped, or the file of the store was moved or deleted. What you see is the last state. Start ‘whimbrel studio’ again to continue.')));
}
