// A layered layout of boxes and the links between them, from left to right:
// break circles, assign layers, route long links through places of their own, and order each layer by its neighbours.

const sweeps = 12;
const dummyHeight = 14;

/**
 * Places nodes `{ id, width, height }` and edges `{ from, to, port }`: IDs, and the height at which the edge leaves its
 * box, from 0 to 1. Sets `x`, `y` of each node, and `points` and
 * `isBackward` of each edge, where `points` are the places between the two boxes. Answers `{ width, height }`.
 */
export function layoutLayers(nodes, edges, { columnGap = 72, rowGap = 22 } = {}) {
  const graph = new Map(nodes.map((node) => [node.id, { node, height: node.height, width: node.width, out: [], in: [] }]));
  const pairs = acyclicPairs(graph, edges.filter((edge) => edge.from !== edge.to));
  for (const [from, to] of pairs.values()) {
    graph.get(from).out.push(graph.get(to));
    graph.get(to).in.push(graph.get(from));
  }
  const connected = [...graph.values()].filter((vertex) => vertex.out.length + vertex.in.length > 0);
  const alone = [...graph.values()].filter((vertex) => vertex.out.length + vertex.in.length === 0);
  const layers = assignLayers(connected);
  const ports = new Map(edges.map((edge) => [pairKey(edge.from, edge.to), edge.port]).reverse());
  const chains = addDummies(layers, pairs, graph, ports);
  order(layers);
  const size = place(layers, columnGap, rowGap);
  for (const edge of edges) {
    const chain = chains.get(pairKey(edge.from, edge.to)) ?? chains.get(pairKey(edge.to, edge.from));
    edge.isBackward = pairs.get(pairKey(edge.from, edge.to))?.[0] !== edge.from && edge.from !== edge.to;
    const points = (chain ?? []).map((vertex) => ({ x: vertex.x, y: vertex.y + vertex.height / 2, width: vertex.columnWidth }));
    edge.points = edge.isBackward ? points.reverse() : points;
  }
  return placeAlone(alone, size, rowGap);
}

function pairKey(from, to) {
  return JSON.stringify([from, to]);
}

/** Turns links around that would close a circle, found by a depth-first walk. Keys are those of the links as given. */
function acyclicPairs(graph, edges) {
  const targets = new Map([...graph.keys()].map((id) => [id, []]));
  for (const edge of edges) if (!targets.get(edge.from).includes(edge.to)) targets.get(edge.from).push(edge.to);
  const state = new Map();
  const pairs = new Map();
  // Classes that nothing links to come first, so that links lead to the right where they can.
  const incoming = new Map([...graph.keys()].map((id) => [id, 0]));
  for (const list of targets.values()) for (const id of list) incoming.set(id, incoming.get(id) + 1);
  const starts = [...graph.keys()].sort((a, b) => incoming.get(a) - incoming.get(b));
  const visit = (start) => {
    const stack = [[start, 0]];
    state.set(start, 'open');
    while (stack.length > 0) {
      const top = stack.at(-1);
      const target = targets.get(top[0])[top[1]++];
      if (target === undefined) {
        state.set(top[0], 'done');
        stack.pop();
      } else if (state.get(target) === 'open') {
        pairs.set(pairKey(top[0], target), [target, top[0]]);
      } else {
        pairs.set(pairKey(top[0], target), [top[0], target]);
        if (state.has(target)) continue;
        state.set(target, 'open');
        stack.push([target, 0]);
      }
    }
  };
  for (const id of starts) if (!state.has(id)) visit(id);
  return pairs;
}

/** Longest paths from the left, with a bound on the height of a layer, and then each source beside what it links to. */
function assignLayers(vertices) {
  const limit = Math.max(4, Math.ceil(Math.sqrt(vertices.length) * 1.2));
  const counts = [];
  const waiting = new Map(vertices.map((vertex) => [vertex, new Set(vertex.in).size]));
  const queue = vertices.filter((vertex) => waiting.get(vertex) === 0);
  while (queue.length > 0) {
    const vertex = queue.shift();
    let layer = Math.max(0, ...vertex.in.map((other) => other.layer + 1));
    while ((counts[layer] ?? 0) >= limit) layer += 1;
    vertex.layer = layer;
    counts[layer] = (counts[layer] ?? 0) + 1;
    for (const other of new Set(vertex.out)) {
      waiting.set(other, waiting.get(other) - 1);
      if (waiting.get(other) === 0) queue.push(other);
    }
  }
  for (const vertex of [...vertices].sort((a, b) => b.layer - a.layer)) {
    if (vertex.in.length > 0) continue;
    let layer = Math.min(...vertex.out.map((other) => other.layer)) - 1;
    while (layer > vertex.layer && (counts[layer] ?? 0) >= limit) layer -= 1;
    if (layer <= vertex.layer) continue;
    counts[vertex.layer] -= 1;
    counts[layer] = (counts[layer] ?? 0) + 1;
    vertex.layer = layer;
  }
  const layers = [];
  for (const vertex of vertices) (layers[vertex.layer] ??= []).push(vertex);
  return layers.filter(Boolean).map((layer, index) => {
    for (const vertex of layer) vertex.layer = index;
    return layer;
  });
}

/** Gives each link a vertex in every layer that it passes. Answers these vertices by link. */
function addDummies(layers, pairs, graph, ports) {
  const chains = new Map();
  for (const vertex of graph.values()) [vertex.left, vertex.right] = [[], []];
  const seen = new Map();
  for (const [key, [from, to]] of pairs) {
    const same = seen.get(pairKey(from, to));
    if (same) {
      chains.set(key, same);
      continue;
    }
    let previous = graph.get(from);
    let port = key === pairKey(from, to) ? ports.get(key) : 0;
    const chain = [];
    for (let layer = previous.layer + 1; layer < graph.get(to).layer; layer += 1) {
      const dummy = { height: dummyHeight, width: 0, layer, left: [], right: [] };
      layers[layer].push(dummy);
      connect(previous, dummy, port);
      chain.push(dummy);
      previous = dummy;
      port = 0.5;
    }
    connect(previous, graph.get(to), port);
    chains.set(key, chain);
    seen.set(pairKey(from, to), chain);
  }
  return chains;
}

function connect(from, to, port) {
  from.right.push({ vertex: to, port });
  to.left.push({ vertex: from, port });
}

/** Moves each vertex towards the mean place of its neighbours, to and fro, and keeps the order with the fewest crossings. */
function order(layers) {
  for (const layer of layers) number(layer);
  let best = layers.map((layer) => [...layer]);
  let fewest = crossings(layers);
  for (let sweep = 0; sweep < sweeps && fewest > 0; sweep += 1) {
    const isForward = sweep % 2 === 0;
    for (const layer of isForward ? layers : [...layers].reverse()) {
      const side = isForward ? 'left' : 'right';
      for (const vertex of layer) {
        const places = vertex[side].map((link) => link.vertex.place + (isForward ? link.port : 0));
        vertex.weight = places.length > 0 ? places.reduce((a, b) => a + b, 0) / places.length : vertex.place;
      }
      layer.sort((a, b) => a.weight - b.weight);
      number(layer);
    }
    const count = crossings(layers);
    if (count >= fewest) continue;
    fewest = count;
    best = layers.map((layer) => [...layer]);
  }
  layers.forEach((layer, index) => {
    layer.splice(0, layer.length, ...best[index]);
    number(layer);
  });
}

function number(layer) {
  layer.forEach((vertex, place) => { vertex.place = place; });
}

function crossings(layers) {
  let count = 0;
  for (const layer of layers) {
    const links = layer.flatMap((vertex) => vertex.right.map((link) => [vertex.place + link.port, link.vertex.place]));
    for (let i = 0; i < links.length; i += 1) {
      for (let j = i + 1; j < links.length; j += 1) {
        if ((links[i][0] - links[j][0]) * (links[i][1] - links[j][1]) < 0) count += 1;
      }
    }
  }
  return count;
}

function place(layers, columnGap, rowGap) {
  let x = 0;
  for (const layer of layers) {
    const width = Math.max(...layer.map((vertex) => vertex.width));
    let y = 0;
    for (const vertex of layer) {
      Object.assign(vertex, { x, y, columnWidth: width });
      y += vertex.height + rowGap;
    }
    x += width + columnGap;
  }
  // Each layer moves as near to its neighbours as its order allows.
  for (let round = 0; round < 8; round += 1) {
    const isForward = round % 2 === 0;
    for (const layer of isForward ? layers : [...layers].reverse()) settle(layer, isForward ? 'left' : 'right', rowGap);
  }
  const top = Math.min(0, ...layers.flat().map((vertex) => vertex.y));
  for (const vertex of layers.flat()) {
    vertex.y -= top;
    if (vertex.node) Object.assign(vertex.node, { x: vertex.x, y: vertex.y });
  }
  return { width: Math.max(x - columnGap, 0), height: Math.max(0, ...layers.flat().map((vertex) => vertex.y + vertex.height)) };
}

/** Moves the vertices of a layer to the middle of their neighbours; where they would overlap, a block of them shares its mean. */
function settle(layer, side, rowGap) {
  const blocks = [];
  for (const vertex of layer) {
    const others = vertex[side];
    const middle = others.length > 0
      ? others.reduce((sum, { vertex: other }) => sum + other.y + other.height / 2, 0) / others.length
      : vertex.y + vertex.height / 2;
    let block = { vertices: [vertex], wish: middle - vertex.height / 2, weight: 1, height: vertex.height };
    while (blocks.length > 0 && blocks.at(-1).wish + blocks.at(-1).height + rowGap > block.wish) {
      const above = blocks.pop();
      const offset = above.height + rowGap;
      const weight = above.weight + block.weight;
      block = {
        vertices: [...above.vertices, ...block.vertices], weight, height: offset + block.height,
        wish: (above.wish * above.weight + (block.wish - offset) * block.weight) / weight,
      };
    }
    blocks.push(block);
  }
  for (const block of blocks) {
    let y = block.wish;
    for (const vertex of block.vertices) {
      vertex.y = y;
      y += vertex.height + rowGap;
    }
  }
}

/** Puts classes without links below the others, in rows. */
function placeAlone(vertices, size, gap) {
  const limit = Math.max(size.width, 900);
  let [x, y, rowHeight, width] = [0, size.height > 0 ? size.height + gap * 2 : 0, 0, size.width];
  for (const { node } of vertices) {
    if (x > 0 && x + node.width > limit) [x, y, rowHeight] = [0, y + rowHeight + gap, 0];
    Object.assign(node, { x, y });
    x += node.width + gap;
    rowHeight = Math.max(rowHeight, node.height);
    width = Math.max(width, x - gap);
  }
  return { width, height: vertices.length > 0 ? y + rowHeight : size.height };
}
