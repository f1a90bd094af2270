import { emptyState, h, replace } from './dom.js';
import { formatCount, plural } from './format.js';
import { userText, visibleText } from './text.js';

const filterThreshold = 12;

/** The diagram and the list of all classes, or one class. */
export async function show(context, params) {
  if (params.class) return (await import('./class-page.js')).show(context, params);
  return showAll(context);
}

async function showAll(context) {
  const { schema, main } = context;
  context.setTitle('Classes');
  if (schema.classes.length === 0) {
    replace(main, h('h1', null, 'Classes'), emptyState('This store has no classes.', h('p', null, 'An app adds them when it opens the store with its schema.')));
    return {};
  }
  const diagramHost = h('div', { class: 'diagram-host' });
  const list = classList(context);
  replace(main,
    h('div', { class: 'page-head' }, h('h1', null, 'Classes'), h('p', { class: 'soft' }, plural(schema.classes.length, 'class', 'classes'))),
    h('section', { 'aria-labelledby': 'diagram-title' }, h('h2', { id: 'diagram-title', class: 'visually-hidden' }, 'Diagram'), diagramHost),
    h('section', { class: 'section', 'aria-labelledby': 'list-title' },
      h('div', { class: 'section-head' }, h('h2', { id: 'list-title' }, 'List'), list.filter), list.element));
  const [{ Diagram }] = await Promise.all([import('./diagram.js'), context.counted]);
  if (!diagramHost.isConnected) return {};
  list.fill();
  const diagram = new Diagram(context);
  replace(diagramHost, diagram.element);
  diagram.draw();
  return {};
}

function classList(context) {
  const { schema, counts, href } = context;
  const body = h('tbody');
  const none = h('p', { class: 'soft', hidden: true }, 'No class has this name.');
  let wanted = '';
  const fill = () => {
    const found = schema.classes.filter((one) => one.name.toLocaleLowerCase().includes(wanted));
    replace(body, found.map((one) => row(one, schema, counts, href)));
    none.hidden = found.length > 0;
  };
  fill();
  const filter = schema.classes.length > filterThreshold && h('input', {
    type: 'search', class: 'input small', 'data-filter': '', 'aria-label': 'Filter the list by name', placeholder: 'Filter', oninput: (event) => { wanted = event.target.value.toLocaleLowerCase(); fill(); },
  });
  const element = h('div', null, h('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Classes' }, h('table', { class: 'table' },
    h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Class'), h('th', { scope: 'col', class: 'number' }, 'Objects'), h('th', { scope: 'col', class: 'number' }, 'Properties'),
      ['Primary key', 'Links to', 'Indexes'].map((name) => h('th', { scope: 'col' }, name)))),
    body)), none);
  return { element, filter, fill };
}

function row(one, schema, counts, href) {
  const targets = [...new Set(one.properties.filter((property) => schema.find(property.target)).map((property) => property.target))];
  const indexes = one.properties.filter((property) => property.isIndexed).length + one.indexes.length;
  const count = counts.get(one.name);
  return h('tr', null,
    h('th', { scope: 'row' }, h('a', { href: href('classes', { class: one.name }) }, userText(one.name)),
      one.isEmbedded && [' ', h('span', { class: 'badge' }, 'embedded')],
      !one.isDeclared && [' ', h('span', { class: 'badge badge-warning' }, 'not declared')]),
    h('td', { class: 'number' }, count === undefined ? '' : h('a', { href: href('objects', { class: one.name }), 'aria-label': `${plural(count, 'object')} of ${visibleText(one.name)}` }, formatCount(count))),
    h('td', { class: 'number' }, formatCount(one.properties.length)),
    h('td', null, one.primaryKey && userText(one.primaryKey.name)),
    h('td', null, targets.map((name, index) => [index > 0 && ', ', h('a', { href: href('classes', { class: name }) }, userText(name))])),
    h('td', null, indexes > 0 && plural(indexes, 'index', 'indexes')));
}
