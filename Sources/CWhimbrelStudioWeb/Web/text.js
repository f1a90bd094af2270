// Text of users, with what cannot be seen made visible.

import { h } from './dom.js';

// Control characters, and those that change the direction of text or have no width.
// Joiners stay as they are: emoji and Persian need them.
const hidden = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;
const lines = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

function symbolOf(character) {
  const code = character.codePointAt(0);
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

function nameOf(character) {
  return `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * The nodes of a text. Control characters become symbols such as ␀, with the code in the title.
 * With `keepsLines`, line feeds stay line feeds.
 */
export function visible(text, { keepsLines = false } = {}) {
  // A text of nothing but spaces would look empty.
  if (/^ +$/.test(text)) return [h('span', { class: 'control-character', title: 'Spaces' }, text.replaceAll(' ', '␠'))];
  const pattern = keepsLines ? lines : hidden;
  pattern.lastIndex = 0;
  if (!pattern.test(text)) return [text];
  pattern.lastIndex = 0;
  const nodes = [];
  let start = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > start) nodes.push(text.slice(start, match.index));
    nodes.push(h('span', { class: 'control-character', title: nameOf(match[0]) }, symbolOf(match[0])));
    start = match.index + 1;
  }
  if (start < text.length) nodes.push(text.slice(start));
  return nodes;
}

/** The same as plain text, for attributes and announcements. */
export function visibleText(text) {
  return text.replace(hidden, (character) => symbolOf(character));
}

/** Text of users in an element that its direction marks cannot leave. */
export function userText(text, options) {
  return h('bdi', { class: 'user-text' }, visible(text, options));
}
