import { h } from './dom.js';
import { userText } from './text.js';

/** A change of the schema as a sentence. The names in it are code. */
export function changeNodes(change) {
  const one = code(change.class);
  const property = () => code(`${change.class}.${change.property}`);
  switch (change.kind) {
    case 'classAdded': return ['Class ', one, ' is added.'];
    case 'classRemoved': return ['Class ', one, ' is removed.'];
    case 'classRenamed': return ['Class ', code(change.from), ' is renamed to ', one, '.'];
    case 'propertyAdded': return ['Property ', property(), ' is added.'];
    case 'propertyRemoved': return ['Property ', property(), ' is removed.'];
    case 'propertyRenamed': return ['Property ', code(`${change.class}.${change.from}`), ' is renamed to ', code(change.to), '.'];
    case 'propertyRetyped': return ['Property ', property(), ' changes from ', code(change.from), ' to ', code(change.to), '.'];
    case 'madeOptional': return ['Property ', property(), ' becomes optional.'];
    case 'madeRequired': return ['Property ', property(), ' becomes required.'];
    case 'primaryKeyAdded': return ['Class ', one, ' gets the primary key ', code(change.property), '.'];
    case 'primaryKeyRemoved': return ['Class ', one, ' loses its primary key ', code(change.property), '.'];
    case 'primaryKeyChanged': return ['The primary key of ', one, ' changes from ', code(change.from), ' to ', code(change.to), '.'];
    case 'indexAdded': return ['Property ', property(), ' gets an index.'];
    case 'indexRemoved': return ['Property ', property(), ' loses its index.'];
    case 'classIndexAdded': return ['Class ', one, ' gets ', indexNodes(change.index), '.'];
    case 'classIndexRemoved': return ['Class ', one, ' loses ', indexNodes(change.index), '.'];
    case 'defaultChanged': return ['The default of ', property(), ' changes.'];
    case 'casesChanged': return ['The cases of ', property(), ' change.'];
    case 'embeddingChanged': return ['Class ', one, change.isEmbedded ? ' becomes embedded.' : ' is no longer embedded.'];
    case 'reordered': return ['The properties of ', one, ' are reordered.'];
    default: return [change.kind, ' ', one];
  }
}

function code(name) {
  return h('code', null, userText(typeof name === 'string' ? name : JSON.stringify(name)));
}

const kinds = { unique: 'a unique index', fullText: 'a full-text index' };

function indexNodes(index) {
  return [kinds[index?.kind] ?? 'an index', ' of ', code((index?.properties ?? []).join(', '))];
}
