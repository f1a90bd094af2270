import { h, icon } from './dom.js';
import { formatBytes, formatCount, plural } from './format.js';
import { userText } from './text.js';
import { changeNodes } from './schema-change.js';

const kinds = {
  instant: ['instant', 'badge-success', 'Only the catalog changes.'],
  indexBuild: ['index build', 'badge-accent', 'An index is built.'],
  rewrite: ['copying', 'badge-accent', 'Every object is rewritten. No code is needed.'],
  needsCode: ['needs code', 'badge-warning', 'A migration block or rule must set the new values.'],
  destructive: ['destructive', 'badge-danger', 'Values can no longer be reached.'],
  impossible: ['impossible', 'badge-danger', 'No code can make this change.'],
};

/** What a migration would do. Answers its element and its headline. */
export function planResult(context, outlook, name) {
  const { plan } = outlook;
  const verdict = judge(outlook);
  const element = h('section', { class: 'stack-wide', 'aria-labelledby': 'plan-title' },
    h('h2', { id: 'plan-title', tabindex: '-1' }, `Version ${formatCount(plan.fromVersion)} to ${formatCount(plan.toVersion)}`),
    h('div', { class: `notice notice-${verdict.tone}` }, icon(verdict.tone === 'success' ? 'check' : 'alert'), h('div', { class: 'notice-body' },
      h('p', null, h('strong', null, verdict.headline)),
      h('p', { class: 'soft' }, 'Schema: ', userText(name), '. ', costs(outlook)),
      plan.remainingSteps.length > 0 && h('p', { class: 'soft' }, `Steps to ${plan.remainingSteps.length === 1 ? 'version' : 'versions'} ${plan.remainingSteps.join(', ')} follow. They are planned when their turn comes.`))),
    plan.changes.length > 0 && [h('h3', null, 'Changes'), summary(plan.changes), changesTable(plan.changes)],
    plan.changes.length > 0 && online(outlook),
    outlook.findings && [h('h3', null, 'Data in the way'), findings(context, outlook.findings)]);
  return { element, headline: verdict.headline };
}

function judge({ plan, ready, findings }) {
  const count = (kind) => plan.changes.filter((change) => change.kind === kind).length;
  if (plan.changes.length === 0) return { tone: 'success', headline: plan.fromVersion === plan.toVersion ? 'The store already has this schema.' : 'Only the version changes. The schema stays the same.' };
  if (plan.toVersion < plan.fromVersion) return { tone: 'danger', headline: 'This is impossible: a schema version never goes down.' };
  if (count('impossible') > 0) return { tone: 'danger', headline: 'This is impossible: a change of the schema needs a higher schema version.' };
  if (count('needsCode') > 0) return { tone: 'warning', headline: `The migration needs code for ${plural(count('needsCode'), 'change')}.` };
  if (findings?.length > 0) return { tone: 'warning', headline: 'Data stands in the way. The migration needs code.' };
  if (count('destructive') > 0) return { tone: 'warning', headline: 'The migration needs no code, but values can no longer be reached after it.' };
  return ready
    ? { tone: 'success', headline: 'The migration needs no code.' }
    : { tone: 'warning', headline: 'The migration needs code.' };
}

function costs({ bytes, plan }) {
  if (plan.changes.some((change) => change.kind === 'impossible')) return '';
  return bytes > 0 ? `About ${formatBytes(bytes)} would be written.` : 'No object would be written.';
}

/** How many changes of each kind there are, and what the kinds mean. */
function summary(changes) {
  const found = Object.entries(kinds).map(([kind, words]) => ({ words, count: changes.filter((change) => change.kind === kind).length }));
  return h('ul', { class: 'kind-summary' }, found.filter(({ count }) => count > 0).map(({ words: [word, tone, meaning], count }) => h('li', null,
    h('span', { class: `badge ${tone}` }, `${formatCount(count)} ${word}`), h('span', { class: 'soft' }, meaning))));
}

function changesTable(changes) {
  return h('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Changes' }, h('table', { class: 'table' },
    h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Change'), h('th', { scope: 'col' }, 'Takes'), ['Objects', 'Writes'].map((name) => h('th', { scope: 'col', class: 'number' }, name)))),
    h('tbody', null, changes.map((change) => {
      const [word, tone] = kinds[change.kind] ?? [change.kind, ''];
      return h('tr', null,
        h('td', { class: 'wrap' }, changeNodes(change.change), notes(change)),
        h('td', null, h('span', { class: `badge ${tone}` }, word)),
        h('td', { class: 'number' }, formatCount(change.objects)),
        h('td', { class: 'number' }, change.bytes > 0 ? formatBytes(change.bytes) : '0'));
    }))));
}

function notes(change) {
  const lines = [
    change.note && userText(change.note),
    change.possibleRename && ['Was it renamed? Then declare ', h('code', null, userText(change.possibleRename))],
    change.deleted > 0 && `${plural(change.deleted, 'embedded object')} would have no owner, and would be deleted.`,
    change.copied > 0 && `${plural(change.copied, 'copy', 'copies')} would be made of objects that several links lead to.`,
    change.circular > 0 && `${plural(change.circular, 'object')} would belong to themselves.`,
    change.references > 0 && `${plural(change.references, 'value')} of any type would lead to embedded objects.`,
  ].filter(Boolean);
  return lines.map((line) => h('p', { class: 'soft small-text' }, line));
}

function online({ canRunOnline, plan }) {
  if (canRunOnline) {
    const isInstant = plan.changes.every((change) => change.kind === 'instant' || change.objects === 0);
    return [h('h3', null, 'Online migration'), h('p', null, isInstant ? 'Not needed: all changes are instant.' : 'Rules can make all changes while the app runs.')];
  }
  return [h('h3', null, 'Online migration'), h('p', null, 'Rules cannot make all changes while the app runs:'),
    h('ul', { class: 'bullets' }, plan.onlineObstacles.map((one) => h('li', null, userText([one.change, one.reason].filter(Boolean).join(' ')))))];
}

const rules = {
  required: 'It is nil, and is required now.',
  unique: 'Other objects have the same value, and it is the primary key now.',
  uniqueIndex: 'Other objects have the same values, and the index is unique now.',
  convertible: 'The new type cannot hold the value.',
  knownCase: 'The enum has no case for the value.',
  owned: 'The object is embedded, and belongs to no object now. It will be deleted.',
  ownedOnce: 'The object is embedded now, and belongs to several objects. It will be copied.',
  circle: 'The object is embedded now, and its links lead back to it.',
  reference: 'It leads to an object that is embedded now. Only a link to its class may lead to it.',
  unset: 'The rule leaves it unset. It will have its default.',
  ruleFails: 'The rule reads or sets more than this object, so it stays unconverted.',
};

function findings(context, groups) {
  if (groups.length === 0) return h('p', null, 'No data is in the way.');
  const row = (finding) => {
    const name = `id:${finding.objectID}`;
    return h('tr', null,
      h('td', { class: 'wrap' }, objectLink(context, finding, name)),
      h('td', null, finding.propertyName && userText(finding.propertyName)),
      h('td', { class: 'wrap' }, finding.value === undefined ? null : userText(finding.value)),
      h('td', null, rules[finding.rule] ?? finding.rule));
  };
  return h('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Data in the way' }, h('table', { class: 'table' },
    h('thead', null, h('tr', null, ['Object', 'Property', 'Value', 'Problem'].map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', null, groups.flatMap((group) => [
      ...group.examples.map(row),
      group.count > group.examples.length && h('tr', null, h('td', { colspan: '4', class: 'soft' }, `and ${formatCount(group.count - group.examples.length)} more of this kind`)),
    ]))));
}

/** The finding has the name of the class in the new schema; in the store it may still have another one. */
function objectLink(context, finding, name) {
  const label = [h('span', { class: 'link-class' }, userText(finding.className)), ' ', userText(finding.primaryKey ?? name)];
  return context.schema.find(finding.className) ? h('a', { href: context.href('object', { class: finding.className, name }) }, label) : label;
}
