// What may be written next in a query.

import { api } from './api.js';
import { describeType, isNumeric } from './kinds.js';
import { quoteName, quoteText, unescapeName } from './names.js';
import { situation, stages, tokens } from './query-tokens.js';

const limit = 60;
/** Values are offered only if there are few of them; objects that are read for that are limited. */
const statisticsLimit = 2000;

/** Completes queries on a class. */
export class Completion {
  #schema;
  #className;
  #values = new Map();

  constructor(schema, className) {
    this.#schema = schema;
    this.#className = className;
  }

  /**
   * The suggestions at the end of a text: `{ start, list }`, where `start` is where the replaced part begins.
   * Each suggestion is `{ text, detail, insert }`.
   */
  async suggest(text) {
    const list = tokens(text);
    const last = list.at(-1);
    const isPartial = last && last.start + last.text.length === text.length && ['word', 'open', 'function', 'number'].includes(last.kind);
    const before = isPartial ? list.slice(0, -1) : list;
    const part = isPartial ? last.text : '';
    const start = isPartial ? last.start : text.length;
    const all = await this.#all(before, part);
    return { start, list: matching(all, part).slice(0, limit) };
  }

  async #all(before, part) {
    if (before.at(-1)?.text === '.' || part.startsWith('@')) return this.#members(before);
    const now = situation(before);
    switch (now.state) {
      case 'operand': return [...this.#names(this.#className), ...this.#beginnings(now)];
      case 'path': return this.#names(this.#className).filter(({ isMany }) => !isMany);
      case 'operator': return this.#operators(now.path);
      case 'value': return this.#valuesFor(now.path);
      case 'connector': return now.stage === null ? [...words(['AND', 'OR'], ' '), ...stageWords()] : words(['AND', 'OR'], ' ');
      case 'direction': return words(['ASC', 'DESC']);
      default: return [];
    }
  }

  #beginnings(now) {
    const hasMany = this.#schema.find(this.#className)?.properties.some((property) => property.container);
    return [...words(['NOT'], ' '), ...(hasMany ? words(['ANY', 'ALL', 'NONE'], ' ') : []), ...(now.isStart ? stageWords() : [])];
  }

  #names(className) {
    return (this.#schema.find(className)?.properties ?? []).map((property) => ({
      text: property.name, detail: property.typeText, insert: quoteName(property.name), isMany: property.container !== null,
    }));
  }

  /** What may follow a dot: properties of the linked class, and functions of collections. */
  #members(before) {
    let end = before.length - 1;
    while (end > 0 && before[end].text !== '.') end -= 1;
    const found = this.#resolve(pathBefore(before, end));
    if (!found) return [];
    const functions = found.property.container
      ? words(['@count', ...(found.property.target ? [] : ['@min', '@max', '@sum', '@avg'])])
      : [];
    if (found.property.container === 'map') functions.push(...words(['@keys', '@values']));
    return [...(found.property.target ? this.#names(found.property.target) : []), ...functions];
  }

  /** What the tokens of a path lead to, or null. A function at its end is a number. */
  #resolve(path) {
    let owner = this.#schema.find(this.#className);
    let property = null;
    let isCount = false;
    for (const token of path) {
      if (token.kind === 'function') isCount = true;
      if (token.kind !== 'word' && token.kind !== 'name') continue;
      if (property) owner = this.#schema.find(property.target);
      property = owner?.find(nameOf(token));
      if (!property) return null;
    }
    return property && { property, owner, isCount };
  }

  #operators(path) {
    const found = this.#resolve(path);
    const equality = ['==', '!='];
    if (!found) return words([...equality, '<', '<=', '>', '>=', 'CONTAINS', 'BEGINSWITH', 'ENDSWITH', 'LIKE', 'IN', 'BETWEEN'], ' ');
    const { property, isCount, owner } = found;
    const order = ['<', '<=', '>', '>='];
    if (isCount) return words([...equality, ...order], ' ');
    const kind = describeType(property.type);
    switch (kind.element) {
      case 'bool': case 'link': return words(equality, ' ');
      case 'string': return words([...equality, 'CONTAINS', 'CONTAINS[c]', 'BEGINSWITH', 'BEGINSWITH[c]', 'ENDSWITH', 'LIKE', ...(hasFullText(owner, property) ? ['TEXT'] : []), 'IN', ...order], ' ');
      case 'date': return words([...order, ...equality, 'BETWEEN', 'IN'], ' ');
      case 'data': return words([...equality, 'CONTAINS', 'BEGINSWITH'], ' ');
      case 'any': return words([...equality, ...order, 'CONTAINS', 'BEGINSWITH', 'IN'], ' ');
      default: return words(isNumeric({ ...kind, container: null }) ? [...equality, ...order, 'BETWEEN', 'IN'] : [...equality, 'IN'], ' ');
    }
  }

  async #valuesFor(path) {
    const found = this.#resolve(path);
    if (!found || found.isCount) return [];
    const { property, owner } = found;
    const kind = describeType(property.type);
    const none = property.isOptional || kind.element === 'link' ? [{ text: 'nil', detail: 'no value', insert: 'nil' }] : [];
    const templates = {
      bool: ['true', 'false'], date: [`${new Date().toISOString().slice(0, 10)}T00:00:00Z`], uuid: ['uuid('], objectId: ['oid('], decimal: ['decimal('],
    }[kind.element] ?? [];
    return [...await this.#knownValues(owner, property, kind), ...words(templates), ...none];
  }

  /** The cases of an enum, or the most frequent texts, which are asked for once. */
  async #knownValues(owner, property, kind) {
    if (property.cases) return property.cases.map((text) => ({ text: String(text), detail: 'case', insert: kind.element === 'string' ? quoteText(String(text)) : String(text) }));
    if (kind.element !== 'string' || kind.container) return [];
    const key = `${owner.name} ${property.name}`;
    if (!this.#values.has(key)) this.#values.set(key, this.#topValues(owner, property));
    return this.#values.get(key);
  }

  async #topValues(owner, property) {
    try {
      const { properties } = await api.get('/statistics', { class: owner.name, properties: quoteName(property.name), limit: statisticsLimit });
      const top = properties.find((one) => one.property === property.name)?.top ?? [];
      return top.filter(({ value }) => typeof value === 'string').map(({ value, count }) => ({ text: value, detail: `${count} times`, insert: quoteText(value) }));
    } catch {
      return [];
    }
  }
}

const hasFullText = (owner, property) => owner.indexes.some((index) => index.kind === 'fullText' && index.properties.includes(property.name));

const nameOf = (token) => (token.kind === 'name' ? unescapeName(token.text.slice(1, -1)) : token.text);

/** The tokens of the path that ends before a dot. */
function pathBefore(list, dot) {
  let start = dot;
  while (start > 0 && ((start === dot) || list[start].text === '.') && ['word', 'name'].includes(list[start - 1].kind)) start -= start >= 2 && list[start - 2].text === '.' ? 2 : 1;
  return list.slice(start, dot);
}

function words(list, after = '') {
  return list.map((text) => ({ text, detail: '', insert: text + after }));
}

function stageWords() {
  return stages.map((text) => ({ text: `${text}(…)`, detail: { SORT: 'order', DISTINCT: 'distinct values only', LIMIT: 'limit the number', OFFSET: 'skip the first objects', FILTER: 'another condition' }[text], insert: `${text}(` }));
}

/** Those that begin with what was written, then those that contain it. */
function matching(all, part) {
  const text = part.replace(/^["'`]/, '').toLowerCase();
  if (!text) return all;
  const begins = all.filter((one) => one.text.toLowerCase().startsWith(text));
  const contains = all.filter((one) => !begins.includes(one) && one.text.toLowerCase().includes(text));
  const found = [...begins, ...contains];
  // Nothing is left to complete where the word is complete.
  return found.length === 1 && found[0].insert.trim() === part ? [] : found;
}
