// Values in the form of a dump: what an editor begins with, and what is sent.

import { api } from './api.js';
import { loadData } from './data.js';
import { loadText } from './details.js';
import { describeType, signedZero } from './kinds.js';
import { encodeBase64, isCollection, isLink, nameOfID } from './values.js';

const elementLimit = 5000;
const dataLimit = 16 << 20;
const pageSize = 1000;
/** Longer names in a cell are cut. */
const nameLimit = 500;

/** The complete value of a cell in the form of a dump. Throws if it is too large to edit here. */
export async function completeCell(context, place, cell, property) {
  if (isCollection(cell)) return collectionJSON(context, place, cell, property.type);
  return valueJSON(context, place, cell, property.type);
}

async function collectionJSON(context, place, cell, type) {
  if (Number(cell.count) > elementLimit) throw new Error(`It has ${cell.count} elements, and at most ${elementLimit} can be edited here. Use 'whimbrel set' instead.`);
  const kind = describeType(type);
  const elementType = kind.target ? `<${kind.target}>` : kind.element;
  const elements = await elementsOf(place);
  const isMap = kind.container === 'map';
  const values = [];
  for (const [index, element] of elements.entries()) {
    const inner = { ...place, ...(isMap ? { key: element[0] } : { index }) };
    const value = await valueJSON(context, inner, isMap ? element[1] : element, elementType);
    values.push(isMap ? [element[0], value] : value);
  }
  return isMap ? Object.fromEntries(values) : values;
}

/** All elements of a collection, as one commit has them. */
async function elementsOf(place) {
  let elements = [];
  let commit;
  for (;;) {
    const page = await api.get('/collection', { class: place.className, id: place.id, property: place.property, offset: elements.length, limit: pageSize });
    if (elements.length > 0 && page.commit !== commit) {
      elements = [];
      continue;
    }
    commit = page.commit;
    elements.push(...page.elements);
    if (elements.length > elementLimit) throw new Error(`It has ${page.count} elements, and at most ${elementLimit} can be edited here. Use 'whimbrel set' instead.`);
    if (page.elements.length === 0 || elements.length >= Number(page.count)) return elements;
  }
}

async function valueJSON(context, place, cell, type) {
  if (cell === null || typeof cell !== 'object') return signedZero(cell);
  if (typeof cell.text === 'string') return loadText(place);
  if (typeof cell.data === 'string') return dataJSON(place, cell);
  if (isLink(cell)) return cell.isEmbedded ? embeddedJSON(context, cell) : linkJSON(context, cell, describeType(type));
  if ('value' in cell) return { [cell.type]: await valueJSON(context, place, cell.value, cell.type) };
  return nestedJSON(context, place, cell);
}

/** A collection inside of a value of any type, if the cell has all of it. */
async function nestedJSON(context, place, cell) {
  const parts = cell.entries ?? cell.elements ?? [];
  if (parts.length !== Number(cell.count)) throw new Error('It has a long collection inside a value of any type. Use \'whimbrel set\' to edit it.');
  if (cell.entries && parts.some(([name]) => name.length > nameLimit)) throw new Error('It has a long name inside a value of any type. Use \'whimbrel set\' to edit it.');
  if (cell.elements) return Promise.all(parts.map((element) => valueJSON(context, place, element, 'any')));
  return Object.fromEntries(await Promise.all(parts.map(async ([name, value]) => [name, await valueJSON(context, place, value, 'any')])));
}

async function dataJSON(place, cell) {
  if (cell.length > dataLimit) throw new Error(`It has ${cell.length} bytes, and at most ${dataLimit} can be edited here. Use 'whimbrel set' instead.`);
  return encodeBase64(await loadData(place));
}

/** True if a field of one line can show a name. The server cuts long ones, which end in an ellipsis. */
const isNameForField = (name) => /^[^\r\n]*[^\r\n…]$/.test(name);

/** A link as a name where the class is known and the name can be edited, otherwise by its ID. */
function linkJSON(context, cell, kind) {
  if (!kind.target) return { class: cell.class, link: cell.id };
  const hasKey = Boolean(context.schema.find(cell.class)?.primaryKey);
  return hasKey && !cell.isDangling && isNameForField(cell.name) ? cell.name : { link: cell.id };
}

/** An embedded object is written as part of its owner. */
async function embeddedJSON(context, cell) {
  const object = await api.get('/object', { class: cell.class, name: nameOfID(cell.id) });
  const values = {};
  for (const property of object.properties) {
    values[property.name] = await completeCell(context, { className: cell.class, id: cell.id, property: property.name }, property.cell, { type: property.type });
  }
  return values;
}
