// The words of the query language, and the tokens of a text in it.

export const stages = ['SORT', 'DISTINCT', 'LIMIT', 'OFFSET', 'FILTER'];
const connectors = new Set(['and', 'or', '&&', '||']);
const comparisons = new Set(['==', '=', '!=', '<>', '<', '<=', '=<', '>', '>=', '=>', 'contains', 'beginswith', 'endswith', 'like', 'in', 'between', 'text']);
const quantifiers = new Set(['any', 'some', 'all', 'none']);
const constants = new Set(['true', 'false', 'nil', 'null', 'inf', 'infinity', 'nan']);
const directions = new Set(['asc', 'ascending', 'desc', 'descending']);

const pattern = new RegExp([
  /(?<space>\s+)/, /(?<name>`(?:[^`\\]|\\.)*`)/, /(?<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/,
  /(?<open>["'`](?:.|\n)*)/, /(?<number>\d[\w.:@-]*)/, /(?<function>@[\p{L}_]*)/, /(?<argument>[$%][\p{L}\p{N}_@]*)/,
  /(?<word>[\p{L}_][\p{L}\p{N}_]*)/, /(?<symbol>\.\.\.|\.\.<|==|!=|<>|<=|=<|>=|=>|&&|\|\||.)/,
].map((part) => part.source).join('|'), 'gsuy');

/** Takes a text apart: `[{ kind, text, start }]`, without white space. */
export function tokens(text) {
  const list = [];
  for (const match of text.matchAll(pattern)) {
    const [kind] = Object.entries(match.groups).find(([, value]) => value !== undefined);
    if (kind !== 'space') list.push({ kind, text: match[0], start: match.index });
  }
  return list;
}

/**
 * Says what may follow a list of tokens: `{ state, path, stage }`.
 *
 * `state` is 'operand' where a condition may begin, 'operator' behind a path, 'value' behind an operator, 'connector'
 * behind a comparison, 'path' inside of SORT or DISTINCT, 'direction' behind a path of SORT, 'count' inside of LIMIT,
 * or 'none'. `path` are the tokens of the path before.
 */
export function situation(list) {
  const now = { state: 'operand', path: [], stage: null, isStart: true };
  const groups = [];
  for (let index = 0; index < list.length; index += 1) step(now, groups, list, index);
  return now;
}

function step(now, groups, list, index) {
  const { kind, text } = list[index];
  const word = text.toLowerCase();
  const continuesPath = now.path.length > 0 && (text === '.' || list[index - 1]?.text === '.');
  now.isStart = false;
  if (continuesPath || (text === '[' && now.state === 'operator') || (now.isInBrackets && text !== ']')) {
    now.isInBrackets ||= text === '[';
    now.path.push(list[index]);
  } else if (now.isInBrackets) {
    now.isInBrackets = false;
    now.path.push(list[index]);
  } else if (text === '(') {
    const stage = stages.find((one) => one.toLowerCase() === list[index - 1]?.text.toLowerCase());
    groups.push({ stage: now.stage, state: now.stateBefore ?? now.state });
    now.stage = stage ?? now.stage;
    now.state = { SORT: 'path', DISTINCT: 'path', LIMIT: 'count', OFFSET: 'count' }[stage] ?? 'operand';
    now.path = [];
  } else if (text === ')') {
    now.stage = groups.pop()?.stage ?? null;
    now.state = 'connector';
    now.path = [];
  } else if (text === ',') {
    now.state = now.stage === 'SORT' || now.stage === 'DISTINCT' ? 'path' : 'value';
  } else if (connectors.has(word) || word === 'not' || text === '!') {
    now.state = 'operand';
    now.path = [];
  } else if (comparisons.has(word) && now.state !== 'operand') {
    now.state = 'value';
  } else if (quantifiers.has(word) && kind === 'word') {
    now.state = 'operand';
  } else if (directions.has(word) && now.state === 'direction') {
    now.state = 'none';
  } else if (kind === 'word' || kind === 'name' || kind === 'argument') {
    name(now, list[index], word);
  } else if (kind === 'string' || kind === 'number') {
    now.state = now.state === 'value' ? 'connector' : 'operator';
  } else if ('+-*/'.includes(text)) {
    now.state = now.state === 'connector' ? 'value' : 'operand';
  }
}

function name(now, token, word) {
  if (now.state === 'path') {
    now.path = [token];
    now.state = now.stage === 'SORT' ? 'direction' : 'none';
  } else if (now.state === 'value') {
    now.state = 'connector';
    now.valuePath = constants.has(word) ? null : token;
  } else if (now.state === 'operand') {
    now.path = [token];
    now.state = 'operator';
  }
}
