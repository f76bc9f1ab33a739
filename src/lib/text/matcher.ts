// Finds any of many phrases in a text at once (Aho–Corasick). The caller normalises both.

/** In UTF-16 units of all phrases; limits the memory of one matcher. */
const MAX_UNITS = 100_000

export type Matcher = {
  /** In bytes. */
  size: number
  /** Returns the indices of the phrases in the text. Linear in the text, for any number of phrases. */
  find: (text: string) => Set<number>
}

/**
 * Takes time and memory linear in the length of the phrases. Ignores empty phrases, and phrases after the first 100,000 UTF-16
 * units.
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
      // A phrase that was found before had its links followed then, so all loops together take one step per phrase.
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
  phraseAt: Int32Array
  /** The node below another for a unit; 0, the root, for none. */
  child: (node: number, unit: number) => number
}

/** Nodes are numbered in order of creation, parents first. Edges are in an open hash table, as a node may have thousands. */
function createTrie(phrases: readonly string[]): Trie {
  const total = phrases.reduce((sum, { length }) => sum + length, 0)
  const capacity = Math.min(total, MAX_UNITS) + 1
  const [parent, unit] = [new Int32Array(capacity), new Uint16Array(capacity)]
  const phraseAt = new Int32Array(capacity).fill(-1)
  const table = new Int32Array(2 ** Math.ceil(Math.log2(capacity * 2)))
  const mask = table.length - 1
  const bucketOf = (node: number, code: number): number => {
    const hash = Math.imul(Math.imul(node, 0x9e3779b1) ^ code, 0x85ebca6b)
    let bucket = (hash ^ (hash >>> 15)) & mask
    for (; table[bucket] !== 0; bucket = (bucket + 1) & mask) {
      const child = table[bucket] as number
      if (parent[child] === node && unit[child] === code) break
    }
    return bucket
  }
  let count = 1
  for (const [index, phrase] of phrases.entries()) {
    if (phrase === '' || count + phrase.length > capacity) continue
    let node = 0
    for (let i = 0; i < phrase.length; i++) {
      const code = phrase.charCodeAt(i)
      const bucket = bucketOf(node, code)
      if (table[bucket] === 0) {
        parent[count] = node
        unit[count] = code
        table[bucket] = count++
      }
      node = table[bucket] as number
    }
    if (phraseAt[node] === -1) phraseAt[node] = index
  }
  return {
    size: table.byteLength + parent.byteLength + unit.byteLength + phraseAt.byteLength,
    count,
    parent,
    unit,
    phraseAt,
    child: (node, code) => table[bucketOf(node, code)] as number,
  }
}

/** `fail`: the node of the longest proper suffix of a node. `next`: the nearest such node where a phrase ends, or 0. */
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
