import { countBars, histogram } from './charts.js';
import { h } from './dom.js';
import { formatCount, formatDate, formatNumber, formatPrecise, formatShare, plural } from './format.js';
import { userText, visibleText } from './text.js';
import { elementType, nilQuery, rangeQuery, valueQuery } from './value-query.js';

const longestLabel = 80;

/** What the values of one property are like: `line` is a line of `/statistics`. */
export function propertyStatistics(context, owner, property, line) {
  const { schema } = context;
  const objectsHref = (query) => (query ? context.href('objects', { class: owner.name, query }) : null);
  if (line.objects === 0) return [h('p', { class: 'faint' }, 'No objects.')];
  // A spread of many numbers says more than single ones.
  const isSpread = (line.histogram?.length ?? 0) > 1 && line.distinct > 5;
  const noun = property.container ? 'elements' : 'objects';
  const rows = line.top.map(({ value, count }) => ({ label: valueLabel(property, value), count, href: objectsHref(valueQuery(schema, property, value)) }));
  return [
    h('ul', { class: 'stat-facts' }, factsOf(line, property, objectsHref).map((fact) => h('li', null, fact))),
    isSpread && histogram(line.histogram, { noun, href: (bar, isLast) => objectsHref(rangeQuery(property, bar, isLast)) }),
    rows.length > 0 && !isSpread && countBars(rows, line.values, `Most frequent values of ${visibleText(property.name)}`),
    rows.length > 0 && isSpread && h('details', { class: 'disclosure' }, h('summary', null, 'Most frequent values'), countBars(rows, line.values, `Most frequent values of ${visibleText(property.name)}`)),
  ];
}

function factsOf(line, property, objectsHref) {
  const facts = [];
  if (line.nil > 0) {
    const text = `${formatCount(line.nil)} nil (${formatShare(line.nil, line.objects)})`;
    const href = objectsHref(nilQuery(property));
    facts.push(href ? h('a', { href }, text) : text);
  }
  if (line.sizes) facts.push(span(line.sizes, 'element'), plural(line.values, 'element'));
  if (line.values > 1 && line.distinct === line.values && line.distinctIsExact) facts.push('all values differ');
  else if (!line.distinctIsExact && line.distinct >= line.values) facts.push('nearly all values differ');
  else if (line.values > 0) facts.push(`${line.distinctIsExact ? '' : 'about '}${plural(line.distinct, 'distinct value')}`);
  if (line.minimum !== undefined) facts.push(range(line, elementType(property)));
  if (line.mean !== undefined) facts.push(`mean ${bound(line.mean, elementType(property))}`);
  if (line.lengths) facts.push(span(line.lengths, elementType(property) === 'data' ? 'byte' : 'character'));
  return facts;
}

function span([least, most], noun) {
  return least === most ? `${plural(most, noun)} each` : `${formatCount(least)} to ${plural(most, noun)}`;
}

function range(line, type) {
  const [least, most] = [bound(line.minimum, type), bound(line.maximum, type)];
  return least === most ? least : `${least} to ${most}`;
}

function bound(value, type) {
  return type === 'date' && typeof value === 'string' ? formatDate(value) : formatNumber(value);
}

function valueLabel(property, value) {
  if (value === null) return h('span', { class: 'token' }, 'nil');
  if (value === '') return h('span', { class: 'token' }, 'empty');
  if (typeof value === 'number') return formatPrecise(value);
  if (typeof value === 'boolean') return String(value);
  if (elementType(property) === 'date') return h('time', { datetime: value, title: value }, formatDate(value));
  let text = typeof value === 'string' ? value : JSON.stringify(value);
  const prefix = `${property.target} `;
  if (property.target && text.startsWith(prefix)) text = text.slice(prefix.length);
  return userText(text.length > longestLabel ? `${text.slice(0, longestLabel)}…` : text);
}
