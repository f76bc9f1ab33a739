// Finds any of many phrases in a text at once (Aho–Corasick). Both are prepared by the caller, who says what counts as equal.

/** Bounds the memory of one matcher, whatever is stored. UTF-16 units of all phrases together. */
const MAX_UNITS = 100_000

/** Which of some phrases a text contains. */
export type Matcher = {
  /** Of its tables, in bytes. */
  size: number
  /** The places of the phrases in the list that the matcher was built from. Linear in the text, however many phrases there are. */
  find: (text: string) => Set<number>
}

/**
 * Builds a matcher in time and memory linear in the length of the phrases. Empty phrases, and phrases after the first
 * 100,000 UTF-16 units, are not found.
 */
export function createMatcher(phrases: readonly string[]): Matcher {
  const trie = createTrie(phrases)
  const { fail, next } = linkFailures(trie)
  const { phraseAt } = trie
  const find = (text: string): Set<number> => {
    const found = new Set<number>()
    let node = 0
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      let child = trie.child(node, unit)
      while (child === 0 && node !== 0) {
        node = fail[node] as number
        child = trie.child(node, unit)
      }
      node = child
      // What was met before was followed to its end then: altogether this takes no more steps than there are phrases.
      for (let end = phraseAt[node] === -1 ? next[node] : node; end; end = next[end]) {
        const phrase = phraseAt[end] as number
        if (found.has(phrase)) break
        found.add(phrase)
      }
    }
    return found
  }
  return { size: trie.size + fail.byteLength + next.byteLength, find }
}

type Trie = {
  size: number
  count: number
  parent: Int32Array
  unit: Uint16Array
  /** The phrase that ends at a node, or -1. */
  phraseAt: Int32Array
  /** The node below another for a unit; 0, the root, for none. */
  child: (node: number, unit: number) => number
}

/** Nodes are numbered as they are made, parents first. Edges are in an open hash table, as a node may have thousands. */
function createTrie(phrases: readonly string[]): Trie {
  const total = phrases.reduce((sum, { length }) => sum + length, 0)
  const capacity = Math.min(total, MAX_UNITS) + 1
  const [parent, unit] = [new Int32Array(capacity), new Uint16Array(capacity)]
  const phraseAt = new Int32Array(capacity).fill(-1)
  const table = new Int32Array(2 ** Math.ceil(Math.log2(capacity * 2)))
  const mask = table.length - 1
  /** Where the edge is in the table, or is to be. */
  const slotOf = (node: number, code: number): number => {
    const hash = Math.imul(Math.imul(node, 0x9e3779b1) ^ code, 0x85ebca6b)
    let slot = (hash ^ (hash >>> 15)) & mask
    for (; table[slot] !== 0; slot = (slot + 1) & mask) {
      const child = table[slot] as number
      if (parent[child] === node && unit[child] === code) break
    }
    return slot
  }
  let count = 1
  for (const [index, phrase] of phrases.entries()) {
    if (phrase === '' || count + phrase.length > capacity) continue
    let node = 0
    for (let i = 0; i < phrase.length; i++) {
      const code = phrase.charCodeAt(i)
      const slot = slotOf(node, code)
      if (table[slot] === 0) {
        parent[count] = node
        unit[count] = code
        table[slot] = count++
      }
      node = table[slot] as number
    }
    if (phraseAt[node] === -1) phraseAt[node] = index
  }
  return {
    size: table.byteLength + parent.byteLength + unit.byteLength + phraseAt.byteLength,
    count,
    parent,
    unit,
    phraseAt,
    child: (node, code) => table[slotOf(node, code)] as number,
  }
}

/** `fail`: the node of the longest other end of what led to a node. `next`: the nearest on that way where a phrase ends, or 0. */
function linkFailures({ count, parent, unit, phraseAt, child }: Trie): { fail: Int32Array; next: Int32Array } {
  const [fail, next] = [new Int32Array(count), new Int32Array(count)]
  for (const node of byDepth(count, parent)) {
    const [above, code] = [parent[node] as number, unit[node] as number]
    let link = 0
    for (let from = above; from !== 0 && link === 0;) {
      from = fail[from] as number
      link = child(from, code)
    }
    fail[node] = link
    next[node] = phraseAt[link] === -1 ? (next[link] as number) : link
  }
  return { fail, next }
}

/** All nodes but the root, in the order of their depth: a counting sort. */
function byDepth(count: number, parent: Int32Array): Int32Array {
  const depth = new Int32Array(count)
  const starts = [0]
  for (let node = 1; node < count; node++) {
    const level = (depth[node] = (depth[parent[node] as number] as number) + 1)
    starts[level] = (starts[level] ?? 0) + 1
  }
  let sum = 0
  for (const [level, size] of starts.entries()) {
    starts[level] = sum
    sum += size
  }
  const order = new Int32Array(count - 1)
  for (let node = 1; node < count; node++) order[starts[depth[node] as number]!++] = node
  return order
}
