import { h, replace } from './dom.js';
import { formatBytes, formatCount, formatShare } from './format.js';
import { userText } from './text.js';
import { treemap } from './treemap.js';

const kinds = { primaryKey: 'primary key', ordered: 'index', unique: 'unique index', fullText: 'full-text index' };

/** The sizes of all classes and their indexes, as a treemap and as a table. Answers `{ leave }`. */
export function showSizes(host, sizes, context) {
  const total = sizes.fileSize;
  const free = sizes.free * sizes.pageSize;
  const map = treemap(groups(sizes, free, context), { label: 'Size on disk by class. The table below has the same numbers.', total });
  replace(host,
    h('p', { class: 'soft' }, `The file has ${formatBytes(total)}: ${formatBytes(sizes.used * sizes.pageSize)} in use and ${formatBytes(free)} free for later writes. All sizes are in whole pages of ${formatBytes(sizes.pageSize)}.`),
    map.element,
    h('details', { class: 'disclosure' }, h('summary', null, 'Sizes as a table'), table(sizes, free, context)));
  return map;
}

function parts(one) {
  return [
    { name: 'records', bytes: one.records },
    { name: 'overflow', bytes: one.overflow },
    { name: 'links', bytes: one.links },
    ...one.indexes.map((index) => ({ name: `${kinds[index.kind] ?? 'index'} ${index.name}`, bytes: index.bytes })),
  ];
}

function sum(one) {
  return parts(one).reduce((bytes, part) => bytes + part.bytes, 0);
}

function groups(sizes, free, context) {
  const classes = sizes.classes.map((one, index) => ({
    name: one.name, bytes: sum(one), parts: parts(one), tone: index % 8, href: context.href('classes', { class: one.name }),
  }));
  return [
    ...classes,
    { name: 'Header and catalog', bytes: sizes.other, parts: [], tone: 'other' },
    { name: 'Free', bytes: free, parts: [], tone: 'free' },
  ].filter((group) => group.bytes > 0);
}

function table(sizes, free, context) {
  const number = (value, text) => h('td', { class: 'number' }, value === 0 ? '0' : text ?? formatBytes(value));
  const rows = sizes.classes.map((one) => ({ one, bytes: sum(one) })).sort((a, b) => b.bytes - a.bytes).map(({ one, bytes }) => h('tr', null,
    h('th', { scope: 'row' }, h('a', { href: context.href('classes', { class: one.name }) }, userText(one.name))),
    number(one.objects, formatCount(one.objects)), number(bytes), h('td', { class: 'number' }, formatShare(bytes, sizes.fileSize)),
    number(one.records), number(one.overflow), number(one.links),
    h('td', null, one.indexes.length === 0 ? h('span', { class: 'faint' }, 'None') : one.indexes.map((index, place) => [
      place > 0 && h('br'), userText(index.name), h('span', { class: 'faint' }, ` ${kinds[index.kind] ?? index.kind}, ${formatBytes(index.bytes)}`)]))));
  const rest = [['Header and catalog', sizes.other], ['Free', free]].map(([name, bytes]) => h('tr', null,
    h('th', { scope: 'row' }, name), h('td'), number(bytes), h('td', { class: 'number' }, formatShare(bytes, sizes.fileSize)), h('td', { colspan: '4' })));
  return h('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Sizes by class' }, h('table', { class: 'table' },
    h('thead', null, h('tr', null,
      h('th', { scope: 'col' }, 'Class'), ...['Objects', 'Size', 'Share', 'Records', 'Overflow', 'Links'].map((name) => h('th', { scope: 'col', class: 'number' }, name)),
      h('th', { scope: 'col' }, 'Indexes'))),
    h('tbody', null, rows, rest)));
}
