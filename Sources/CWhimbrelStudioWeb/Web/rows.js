// The rows of a table, loaded in blocks as they come into view.

import { api } from './api.js';

const blockSize = 100;
const blockLimit = 80;
const busyDelay = 400;

/** The rows that a table showed last, so that the way back from an object shows the same view. */
export const kept = { source: null };

export function sameQuestion(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What the parameters of a page ask for. */
export function questionOf({ class: className, query, sort, descending }) {
  return { className, query: query || undefined, sort: sort || undefined, isDescending: descending === '1' };
}

/**
 * The rows of one view of the server: a fixed order of objects with the newest values.
 *
 * Events: `rows` with the range that arrived, `reset` when the server made another view, and `error`.
 */
export class RowSource extends EventTarget {
  #blocks = new Map();
  #requests = new Map();
  /** Requests that a commit has come after, so that their answers may be from before it. */
  #outdated = new WeakSet();
  #wanted = [0, 0];

  total = 0;
  view = null;
  commit = 0;
  columns = [];

  constructor(question, columnNames) {
    super();
    this.question = question;
    this.columnNames = columnNames;
  }

  /** Makes the view. `first` is the row to begin with. */
  async open(first = 0) {
    const block = this.#blockOf(first);
    this.#wanted = [block, block];
    this.#adopt(await this.#ask(block, new AbortController().signal));
    return this;
  }

  /** A row that is loaded, or undefined. */
  row(index) {
    return this.#blocks.get(this.#blockOf(index))?.[index % blockSize];
  }

  /** Loads a range of rows, and stops requests for others. */
  need(first, last) {
    this.#wanted = [this.#blockOf(first), this.#blockOf(last)];
    const [start, end] = this.#wanted;
    for (const [block, request] of this.#requests) {
      if (block >= start && block <= end) continue;
      request.abort();
      this.#requests.delete(block);
    }
    for (let block = start; block <= end; block += 1) {
      const rows = this.#blocks.get(block);
      if (!rows) this.#load(block);
      else this.#touch(block, rows);
    }
  }

  /** Shows other columns of the same view. */
  show(columnNames) {
    this.columnNames = columnNames;
    this.#forget();
    this.need(this.#wanted[0] * blockSize, this.#wanted[1] * blockSize);
  }

  /**
   * Loads rows again whose objects have changed; `ids` is null if it is not known which. Blocks out of sight are
   * forgotten, and those in sight stay until the answer is there. What is loaded for the first time may have changed, too.
   */
  refresh(ids) {
    const changed = ids && new Set(ids.map(String));
    const [start, end] = this.#wanted;
    for (const [block, request] of this.#requests) {
      if (!this.#blocks.has(block)) this.#outdated.add(request);
    }
    for (const [block, rows] of this.#blocks) {
      if (changed && !rows.some((row) => changed.has(String(row.id)))) continue;
      if (block < start || block > end) this.#blocks.delete(block);
      else this.#load(block, { isAgain: true });
    }
  }

  /** Stops all requests. */
  close() {
    for (const request of this.#requests.values()) request.abort();
    this.#requests.clear();
  }

  #blockOf(index) {
    return Math.floor(index / blockSize);
  }

  #forget() {
    this.close();
    this.#blocks.clear();
  }

  #touch(block, rows) {
    this.#blocks.delete(block);
    this.#blocks.set(block, rows);
  }

  /** Asks for a block. Of very long rows an answer has only the first, and the others are asked for again. */
  async #ask(block, signal) {
    const offset = block * blockSize;
    const answer = await this.#askRows(offset, blockSize, this.view, signal);
    let part = answer;
    while (part.isPartial && part.rows.length > 0 && part.view === answer.view) {
      const count = answer.rows.length;
      part = await this.#askRows(offset + count, blockSize - count, answer.view, signal);
      if (part.view === answer.view) answer.rows.push(...part.rows);
    }
    return answer;
  }

  #askRows(offset, limit, view, signal) {
    const { className, query, sort, isDescending } = this.question;
    return api.get('/objects', {
      class: className, query, sort, descending: isDescending, columns: this.columnNames, offset, limit, view,
    }, { signal });
  }

  async #load(block, { isAgain = false } = {}) {
    if (block * blockSize >= this.total) return;
    if (this.#requests.has(block)) {
      // Many commits must not stop a request again and again, so it is repeated once it is done.
      if (isAgain) this.#outdated.add(this.#requests.get(block));
      return;
    }
    const request = new AbortController();
    this.#requests.set(block, request);
    const answer = await this.#ask(block, request.signal).catch((error) => ({ error }));
    if (request.signal.aborted) return;
    this.#requests.delete(block);
    if (answer.error) this.#failed(answer.error);
    else this.#adopt(answer);
    if (this.#outdated.has(request)) this.#load(block);
  }

  #failed(error) {
    if (error.status === 503) {
      setTimeout(() => this.need(this.#wanted[0] * blockSize, this.#wanted[1] * blockSize), busyDelay);
    } else {
      this.dispatchEvent(new CustomEvent('error', { detail: error }));
    }
  }

  #adopt(answer) {
    const isNew = this.view !== null && this.view !== answer.view;
    if (isNew) this.#forget();
    this.view = answer.view;
    this.total = answer.total;
    this.commit = Math.max(this.commit, answer.commit);
    this.columns = answer.columns;
    const block = this.#blockOf(answer.offset);
    const before = this.#blocks.get(block);
    // A deleted object has no values any more; those that were shown stay, struck through.
    const rows = answer.rows.map((row, index) => (row.isDeleted ? { ...row, cells: before?.[index]?.cells } : row));
    this.#touch(block, rows);
    for (const old of this.#blocks.keys()) {
      if (this.#blocks.size <= blockLimit) break;
      this.#blocks.delete(old);
    }
    if (isNew) this.dispatchEvent(new CustomEvent('reset'));
    this.dispatchEvent(new CustomEvent('rows', { detail: { first: answer.offset, count: rows.length, before } }));
  }
}
