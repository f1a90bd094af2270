import { api } from './api.js';
import { announce, errorBlock, h, icon, replace } from './dom.js';
import { formatCount, plural } from './format.js';
import { showProgress } from './progress.js';
import { userText } from './text.js';

const largestAutomatic = 200 * 1024 * 1024;
const pageOfFindings = 100;

/** The panel that checks the store in the background and lists what it found. */
export class CheckPanel {
  #host;
  #context;
  #shown = pageOfFindings;
  #last = null;
  #wasRunning = false;
  // An answer may arrive after an event that was sent later.
  #events = 0;
  #listen = (event) => {
    this.#events += 1;
    this.#show(event.detail);
  };
  // A check that has ended before the stream of events was open has told nobody.
  #ask = () => { if (this.#wasRunning) this.start(Infinity); };

  constructor(host, context) {
    this.#host = host;
    this.#context = context;
    context.events.addEventListener('check', this.#listen);
    context.events.addEventListener('state', this.#ask);
  }

  /** Shows what the server knows; starts a check if there was none and the file is not large. */
  async start(fileSize) {
    try {
      const before = this.#events;
      const state = await api.get('/check');
      if (this.#events !== before) return;
      if (state.state === 'none' && fileSize <= largestAutomatic) await this.#begin();
      else this.#show(state);
    } catch (error) {
      this.#fail(error);
    }
  }

  leave() {
    this.#context.events.removeEventListener('check', this.#listen);
    this.#context.events.removeEventListener('state', this.#ask);
  }

  async #begin() {
    this.#shown = pageOfFindings;
    try {
      const before = this.#events;
      const state = await api.post('/check');
      if (this.#events === before) this.#show(state);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error) {
    replace(this.#host, errorBlock(error, { title: 'Could not check the store.', retry: () => this.#begin() }));
  }

  #show(state) {
    if (state.state === 'running') return this.#showProgress(state);
    if (state.state === 'failed') return this.#fail(state.error);
    if (state.state === 'none') {
      return replace(this.#host, h('div', { class: 'stack' },
        h('p', { class: 'soft' }, 'The file is large, so the check does not start automatically. It reads every page, record, index and link. You can keep working while it runs.'),
        h('button', { type: 'button', class: 'button', onclick: () => this.#begin() }, 'Check the store')));
    }
    this.#showReport(state);
  }

  #showProgress({ step = 'Checking the store', completed, total }) {
    this.#last = null;
    showProgress(this.#host, 'Check of the store', { step, completed, total });
    this.#wasRunning = true;
  }

  #showReport(state) {
    const { report } = state;
    const isNew = this.#wasRunning;
    this.#wasRunning = false;
    this.#last = state;
    const objects = report.classes.reduce((sum, one) => sum + one.objects, 0);
    const scope = `${plural(report.pages.used, 'page')} and ${plural(objects, 'object')} checked${state.commit === undefined ? '' : `, as of commit ${formatCount(state.commit)}`}.`;
    const isSound = report.findingCount === 0;
    const headline = isSound ? 'No problems found.' : `${plural(report.findingCount, 'problem')} found.`;
    if (isNew) announce(headline, { assertive: !isSound });
    replace(this.#host, h('div', { class: 'check-report' },
      h('div', { class: ['notice', isSound ? 'notice-success' : 'notice-danger'] }, icon(isSound ? 'check' : 'alert'),
        h('div', { class: 'notice-body' }, h('p', null, h('strong', null, headline)), h('p', { class: 'soft' }, scope),
          !isSound && h('p', null, 'Copy the file first. Then ‘whimbrel salvage’ copies what can be read into a new store.'))),
      list('Not checked, because their pages are damaged', report.unchecked),
      list('Notes', report.notes),
      !isSound && this.#findings(report),
      h('p', null, h('button', { type: 'button', class: 'button small', onclick: () => this.#begin() }, icon('refresh'), 'Check again'))));
  }

  #findings(report) {
    const { findings } = report;
    const shown = findings.slice(0, this.#shown);
    const more = () => {
      this.#shown += pageOfFindings;
      this.#showReport(this.#last);
    };
    return [
      h('div', { class: 'table-scroll findings', tabindex: '0', role: 'region', 'aria-label': 'Problems' }, h('table', { class: 'table' },
        h('thead', null, h('tr', null, ['Place', 'Object', 'Property', 'Problem'].map((name) => h('th', { scope: 'col' }, name)))),
        h('tbody', null, shown.map((finding) => this.#row(finding))))),
      shown.length < findings.length && h('p', null, h('button', { type: 'button', class: 'button small', onclick: more }, `Show more of ${formatCount(findings.length)}`)),
      report.findingCount > findings.length && h('p', { class: 'soft' }, `The check keeps the first ${formatCount(findings.length)} of ${plural(report.findingCount, 'problem')}.`),
    ];
  }

  #row(finding) {
    const href = finding.class && finding.object !== undefined && this.#context.href('object', { class: finding.class, name: `id:${finding.object}` });
    const place = finding.class ? userText(finding.class) : finding.page !== undefined ? `Page ${formatCount(finding.page)}` : 'File';
    return h('tr', null,
      h('td', null, place, finding.kind !== 'page' && [h('br'), h('span', { class: 'faint' }, kinds[finding.kind] ?? finding.kind)]),
      h('td', { class: 'wrap' }, href ? h('a', { href }, userText(String(finding.key ?? `id:${finding.object}`))) : null),
      h('td', null, finding.property && userText(finding.property)),
      h('td', { class: 'wrap' }, userText(finding.problem)));
  }
}

const kinds = {
  page: 'page', unreachablePages: 'unreachable pages', header: 'header', catalog: 'catalog', table: 'table', record: 'record',
  part: 'overflow', primaryKey: 'primary key', index: 'index', link: 'link', owner: 'owner', nextObjectID: 'next object ID',
};

function list(title, lines) {
  if (!lines?.length) return null;
  return h('div', null, h('h3', { class: 'minor' }, title), h('ul', { class: 'bullets' }, lines.map((line) => h('li', null, userText(typeof line === 'string' ? line : JSON.stringify(line))))));
}
