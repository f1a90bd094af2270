import { h } from './dom.js';

// Numbers and dates in the locale of the browser.

const countFormat = new Intl.NumberFormat();
const decimalFormat = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 6 });
const tenthFormat = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const preciseFormat = new Intl.NumberFormat(undefined, { maximumFractionDigits: 17 });
const scientificFormat = new Intl.NumberFormat(undefined, { notation: 'scientific', maximumSignificantDigits: 6 });
const preciseScientificFormat = new Intl.NumberFormat(undefined, { notation: 'scientific', maximumSignificantDigits: 17 });
const percentFormat = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const secondFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const units = ['', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A whole number, which may be text if it is beyond 2⁵³. */
export function formatCount(value) {
  return countFormat.format(typeof value === 'string' ? BigInt(value) : value);
}

/** A number with six digits at most, for charts. */
export function formatNumber(value) {
  if (typeof value !== 'number') return String(value);
  return (needsExponent(value) ? scientificFormat : decimalFormat).format(value);
}

/** A number with all of its digits. */
export function formatPrecise(value) {
  if (typeof value !== 'number') return String(value);
  return (needsExponent(value) ? preciseScientificFormat : preciseFormat).format(value);
}

/** Whether a number has more zeros than a person would count. */
function needsExponent(value) {
  const size = Math.abs(value);
  return size >= 1e15 || (size > 0 && size < 1e-6);
}

export function formatShare(part, whole) {
  const share = whole > 0 ? part / whole : 0;
  return share > 0 && share < 0.0005 ? `< ${percentFormat.format(0.001)}` : percentFormat.format(share);
}

/** Bytes in units of 1,024, as the tool shows them. */
export function formatBytes(bytes) {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  if (unit === 0) return plural(bytes, 'byte');
  return `${(value < 10 ? tenthFormat : countFormat).format(value < 10 ? value : Math.round(value))} ${units[unit]}`;
}

/** A date in local time, or the text itself if it is beyond what the browser can show. */
export function formatDate(text, { precision = 'minute' } = {}) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return String(text);
  return (precision === 'day' ? dayFormat : precision === 'second' ? secondFormat : dateFormat).format(date);
}

/** The same date in UTC with all of its digits, for a title or a second line. */
export function formatUTC(text) {
  return String(text).replace('T', ' ').replace(/Z$/, ' UTC');
}

/** '1 object', '2 objects'. */
export function plural(count, one, many = `${one}s`) {
  return `${formatCount(count)} ${Number(count) === 1 ? one : many}`;
}

/** Seconds as people say them. */
export function formatDuration(seconds) {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 120) return `${decimalFormat.format(Math.round(seconds * 10) / 10)} s`;
  return `${formatCount(Math.round(seconds / 60))} min`;
}

/** A date as an element, with UTC in its title, or in a second line for those who cannot hover. */
export function dateElement(text, { precision = 'minute', withUTC = false } = {}) {
  const utc = formatUTC(text);
  const time = h('time', { datetime: text, title: utc }, formatDate(text, { precision }));
  return withUTC ? h('span', { class: 'two-lines' }, time, h('span', { class: 'faint small-text' }, utc)) : time;
}
