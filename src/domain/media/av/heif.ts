// Runs in the child process. Reads the boxes of a HEIF file (ISO/IEC 23008-12 and 14496-12) up to its coded frames.
import { IMAGE_MATRIX_LIMIT } from '../types.ts'
import { UNSUPPORTED_FILE } from './protocol.ts'
import { Refusal } from './source.ts'

export type CodedTile = { configuration: Buffer; data: Buffer }

export type HeifImage = {
  /** Size of the primary item before its transformations. */
  width: number
  height: number
  columns: number
  tileWidth: number
  tileHeight: number
  /** Row by row; one for an image without a grid. */
  tiles: CodedTile[]
  /** FFmpeg filters that crop, rotate and mirror the image, in the order that the file asks for. */
  transformations: string[]
  icc: Buffer | null
  nclx: { matrix: number; isFullRange: boolean } | null
}

type Box = { type: string; body: Buffer }
type Property = Box & { isEssential: boolean }

/** Far more than cameras write; an iPhone needs about 60 items. */
const MAX_BOXES = 4096
/** Twice as many as the largest accepted image needs with tiles of 512x512. */
const MAX_TILES = 256
const MAX_EXTENTS = 256
const DESCRIPTIVE = new Set(['hvcC', 'ispe', 'colr', 'pixi', 'pasp', 'rloc', 'auxC', 'clli', 'mdcv', 'cclv', 'amve'])

const refuse = (): never => {
  throw new Refusal(UNSUPPORTED_FILE)
}

/** Reads the primary item, without decoding it. Throws Refusal, or RangeError for lengths beyond the end of the file. */
export function readHeif(file: Buffer): HeifImage {
  const meta = bodyOf(boxesOf(file), 'meta').subarray(4)
  const boxes = boxesOf(meta)
  const items = new Items(file, boxes)
  const primary = primaryOf(bodyOf(boxes, 'pitm'))
  const properties = items.properties(primary)
  const [width, height] = sizeOf(properties)
  if (width * height > IMAGE_MATRIX_LIMIT) throw new Refusal(`${width}x${height} images are not supported`)
  const layout = items.type(primary) === 'grid' ? readGrid(items, primary) : { columns: 1, rows: 1, ids: [primary] }
  if (layout.ids.length > MAX_TILES || layout.ids.length !== layout.columns * layout.rows) refuse()
  const sizes = layout.ids.map((id) => sizeOf(items.properties(id)))
  const [tileWidth, tileHeight] = sizes[0] ?? refuse()
  if (sizes.some(([w, h]) => w !== tileWidth || h !== tileHeight)) refuse()
  const [fullWidth, fullHeight] = [tileWidth * layout.columns, tileHeight * layout.rows]
  if (fullWidth < width || fullHeight < height || fullWidth * fullHeight > 2 * IMAGE_MATRIX_LIMIT) refuse()
  const grid = 'size' in layout ? layout.size : [width, height]
  if (grid[0] !== width || grid[1] !== height) refuse()
  return {
    width,
    height,
    columns: layout.columns,
    tileWidth,
    tileHeight,
    tiles: layout.ids.map((id) => items.tile(id)),
    transformations: transformationsOf(properties, width, height),
    ...colorOf([...properties, ...(layout.ids[0] === primary ? [] : items.properties(layout.ids[0] ?? 0))]),
  }
}

function readGrid(items: Items, id: number): { columns: number; rows: number; ids: number[]; size: [number, number] } {
  const grid = items.data(id)
  const isWide = ((grid[1] ?? 0) & 1) === 1
  const size = [0, 1].map((i) => (isWide ? grid.readUInt32BE(4 + i * 4) : grid.readUInt16BE(4 + i * 2)))
  return {
    rows: grid.readUInt8(2) + 1,
    columns: grid.readUInt8(3) + 1,
    ids: items.tilesOf(id),
    size: [size[0] ?? 0, size[1] ?? 0],
  }
}

class Items {
  readonly #types = new Map<number, string>()
  readonly #places = new Map<number, { method: number; extents: [offset: number, length: number][] }>()
  readonly #properties = new Map<number, Property[]>()
  readonly #grids = new Map<number, number[]>()
  readonly #sources: (Buffer | undefined)[]
  /** Bytes that may still be read. Items may overlap, but their sum must not exceed the file. */
  #left: number

  constructor(file: Buffer, boxes: Box[]) {
    this.#left = file.length
    this.#sources = [file, boxes.find(({ type }) => type === 'idat')?.body]
    this.#readTypes(bodyOf(boxes, 'iinf'))
    this.#readPlaces(new Reader(bodyOf(boxes, 'iloc')))
    this.#readProperties(boxesOf(bodyOf(boxes, 'iprp')))
    const references = boxes.find(({ type }) => type === 'iref')
    if (references) this.#readReferences(references.body)
  }

  type(id: number): string {
    return this.#types.get(id) ?? ''
  }

  properties(id: number): Property[] {
    return this.#properties.get(id) ?? []
  }

  tilesOf(id: number): number[] {
    return this.#grids.get(id) ?? refuse()
  }

  data(id: number): Buffer {
    const { method, extents } = this.#places.get(id) ?? refuse()
    const source = this.#sources[method] ?? refuse()
    const parts = extents.map(([at, length]) => {
      if (at + length > source.length) refuse()
      return source.subarray(at, length === 0 ? source.length : at + length)
    })
    this.#left -= parts.reduce((sum, { length }) => sum + length, 0)
    if (this.#left < 0) refuse()
    return Buffer.concat(parts)
  }

  tile(id: number): CodedTile {
    if (this.type(id) !== 'hvc1') refuse()
    const configuration = this.properties(id).find(({ type }) => type === 'hvcC')?.body
    return { configuration: configuration ?? refuse(), data: this.data(id) }
  }

  #readTypes(body: Buffer): void {
    for (const { type, body: entry } of boxesOf(body.subarray(body.readUInt8(0) === 0 ? 6 : 8))) {
      const version = entry.readUInt8(0)
      if (type !== 'infe' || version < 2) continue
      const id = version === 2 ? entry.readUInt16BE(4) : entry.readUInt32BE(4)
      const at = version === 2 ? 8 : 10
      this.#types.set(id, entry.toString('latin1', at, at + 4))
    }
  }

  #readPlaces(reader: Reader): void {
    const version = reader.uint(1)
    reader.uint(3)
    const sizes = reader.uint(2)
    const [offsetSize, lengthSize, baseSize, indexSize] = [12, 8, 4, 0].map((shift) => (sizes >> shift) & 15)
    const count = reader.uint(version < 2 ? 2 : 4)
    for (let i = 0; i < Math.min(count, MAX_BOXES); i++) {
      const id = reader.uint(version < 2 ? 2 : 4)
      const method = version === 0 ? 0 : reader.uint(2) & 15
      reader.uint(2)
      const base = reader.uint(baseSize ?? 0)
      const extents: [number, number][] = []
      let left = reader.uint(2)
      if (left > MAX_EXTENTS) refuse()
      for (; left > 0; left--) {
        if (version > 0) reader.uint(indexSize ?? 0)
        extents.push([base + reader.uint(offsetSize ?? 0), reader.uint(lengthSize ?? 0)])
      }
      this.#places.set(id, { method, extents })
    }
  }

  #readProperties(boxes: Box[]): void {
    const properties = boxesOf(bodyOf(boxes, 'ipco'))
    for (const { type, body } of boxes) {
      if (type !== 'ipma') continue
      const reader = new Reader(body)
      const version = reader.uint(1)
      const isWide = (reader.uint(3) & 1) === 1
      for (let left = Math.min(reader.uint(4), MAX_BOXES); left > 0; left--) {
        const id = reader.uint(version < 1 ? 2 : 4)
        const own: Property[] = []
        for (let more = reader.uint(1); more > 0; more--) {
          const value = reader.uint(isWide ? 2 : 1)
          const essential = isWide ? 0x8000 : 0x80
          const property = properties[(value & (essential - 1)) - 1]
          if (property) own.push({ ...property, isEssential: (value & essential) !== 0 })
        }
        this.#properties.set(id, own)
      }
    }
  }

  #readReferences(body: Buffer): void {
    const idSize = body.readUInt8(0) === 0 ? 2 : 4
    for (const { type, body: reference } of boxesOf(body.subarray(4))) {
      if (type !== 'dimg') continue
      const reader = new Reader(reference)
      const from = reader.uint(idSize)
      this.#grids.set(
        from,
        Array.from({ length: reader.uint(2) }, () => reader.uint(idSize)),
      )
    }
  }
}

/** Throws RangeError at the end of the buffer. */
class Reader {
  readonly #buffer: Buffer
  #at = 0

  constructor(buffer: Buffer) {
    this.#buffer = buffer
  }

  uint(bytes: number): number {
    if (bytes === 0) return 0
    this.#at += bytes
    if (bytes === 8) return Number(this.#buffer.readBigUInt64BE(this.#at - 8))
    return this.#buffer.readUIntBE(this.#at - bytes, bytes)
  }
}

function boxesOf(buffer: Buffer): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at + 8 <= buffer.length;) {
    // A size of 1 means that a longer one follows the type; 0 that the box is the last one.
    let [head, size] = [8, buffer.readUInt32BE(at) || buffer.length - at]
    if (size === 1) [head, size] = [16, Number(buffer.readBigUInt64BE(at + 8))]
    if (size < head || at + size > buffer.length || boxes.length === MAX_BOXES) refuse()
    boxes.push({ type: buffer.toString('latin1', at + 4, at + 8), body: buffer.subarray(at + head, at + size) })
    at += size
  }
  return boxes
}

const bodyOf = (boxes: Box[], name: string): Buffer => boxes.find(({ type }) => type === name)?.body ?? refuse()

const primaryOf = (pitm: Buffer): number => (pitm.readUInt8(0) === 0 ? pitm.readUInt16BE(4) : pitm.readUInt32BE(4))

function sizeOf(properties: Property[]): [width: number, height: number] {
  const body = bodyOf(properties, 'ispe')
  const [width, height] = [body.readUInt32BE(4), body.readUInt32BE(8)]
  return width > 0 && height > 0 ? [width, height] : refuse()
}

function transformationsOf(properties: Property[], width: number, height: number): string[] {
  return properties.flatMap(({ type, body, isEssential }) => {
    if (type === 'irot')
      return [[], ['transpose=cclock'], ['hflip', 'vflip'], ['transpose=clock']][body.readUInt8(0) & 3] ?? []
    if (type === 'imir') return [(body.readUInt8(0) & 1) === 0 ? 'vflip' : 'hflip']
    if (type === 'clap') return [cropOf(body, width, height)]
    // A reader must not ignore an essential property.
    return isEssential && !DESCRIPTIVE.has(type) ? refuse() : []
  })
}

/** A clean aperture: its size, and the offset of its centre from that of the image. */
function cropOf(body: Buffer, width: number, height: number): string {
  const fraction = (at: number): number => body.readInt32BE(at) / body.readInt32BE(at + 4)
  const [w, h] = [Math.round(fraction(0)), Math.round(fraction(8))]
  const [x, y] = [Math.round((width - w) / 2 + fraction(16)), Math.round((height - h) / 2 + fraction(24))]
  if (!(w > 0 && h > 0 && x >= 0 && y >= 0 && x + w <= width && y + h <= height)) refuse()
  return `crop=${w}:${h}:${x}:${y}:exact=1`
}

function colorOf(properties: Property[]): Pick<HeifImage, 'icc' | 'nclx'> {
  const colors = properties.filter(({ type }) => type === 'colr').map(({ body }) => body)
  const find = (...types: string[]): Buffer | undefined =>
    colors.find((body) => types.includes(body.toString('latin1', 0, 4)))?.subarray(4)
  const nclx = find('nclx')
  return {
    icc: find('prof', 'rICC') ?? null,
    nclx: nclx ? { matrix: nclx.readUInt16BE(4), isFullRange: nclx.readUInt8(6) >> 7 === 1 } : null,
  }
}
