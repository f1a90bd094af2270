// How far long work is: a line of text and a bar.

import { h, replace } from './dom.js';
import { formatCount } from './format.js';

/** Shows a step of some work in `host`. Without a total, the bar only says that work goes on. */
export function showProgress(host, label, { step, completed, total }) {
  let bar = host.querySelector('progress');
  if (!bar) {
    bar = h('progress', { 'aria-label': label });
    replace(host, h('div', { class: 'stack' }, h('p', { class: 'soft progress-step' }), bar));
  }
  if (total) {
    bar.max = total;
    bar.value = completed;
  } else {
    bar.removeAttribute('value');
  }
  host.querySelector('.progress-step').textContent = `${step}${total ? `: ${formatCount(completed)} of ${formatCount(total)}` : completed ? `: ${formatCount(completed)}` : '…'}`;
}

let lastNumber = 0;

/**
 * Follows a request in `host` until it ends. The request has the parameter `progress` with the name that
 * `body` is given; the server tells all pages how far the work of that name is.
 */
export async function following(events, host, label, body) {
  lastNumber += 1;
  const name = `${lastNumber}-${Math.random().toString(36).slice(2)}`;
  const listen = ({ detail }) => { if (detail.name === name) showProgress(host, label, detail); };
  events.addEventListener('progress', listen);
  try {
    return await body(name);
  } finally {
    events.removeEventListener('progress', listen);
  }
}
