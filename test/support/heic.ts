// Small HEIC photos: HEVC frames in the boxes of ISO/IEC 23008-12.

export const canMakeHeic = await import('node-av/api').then(
  () => true,
  () => false,
)

export type Rgb = readonly [red: number, green: number, blue: number]

export type Heic = {
  /** One for each tile, by rows. One tile alone is stored without a grid. */
  colors: readonly Rgb[]
  columns?: number
  /** Side of a tile in pixels. */
  tile?: number
  /** Size of the assembled image; all of the tiles unless given. */
  width?: number
  height?: number
  /** A false size of the primary item in `ispe`. */
  claims?: readonly [width: number, height: number]
  /** Quarter turns, anticlockwise. */
  irot?: number
  /** 0 swaps top and bottom, 1 left and right. */
  imir?: number
  /** Size of the visible part in the middle. */
  clap?: readonly [width: number, height: number]
  icc?: Buffer
  exif?: Buffer
  damage?: (frame: Buffer) => Buffer
}

const box = (name: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length + 8), Buffer.from(name, 'latin1'), body])
}
const u8 = (...values: number[]): Buffer => Buffer.from(values)
const u16 = (...values: number[]): Buffer => Buffer.from(values.flatMap((value) => [(value >> 8) & 255, value & 255]))
const u32 = (...values: number[]): Buffer => Buffer.concat(values.map((value) => u16(value >>> 16, value & 0xffff)))
const full = (name: string, version: number, ...parts: Buffer[]): Buffer => box(name, u32(version << 24), ...parts)
const ispe = (width: number, height: number): Buffer => full('ispe', 0, u32(width, height))

type Item = { id: number; type: string; data: Buffer; properties: number[]; inIdat?: boolean }

export async function makeHeic(photo: Heic): Promise<Buffer> {
  const { columns = 1, tile = 64, colors, irot, imir, clap, icc, exif, damage = (frame) => frame } = photo
  const rows = colors.length / columns
  const [width, height] = [photo.width ?? columns * tile, photo.height ?? rows * tile]
  const frames = await Promise.all(colors.map((color) => encodedTile(color, tile)))
  const isGrid = colors.length > 1
  const tileSize = isGrid ? ([tile, tile] as const) : (photo.claims ?? [tile, tile])
  const properties = [frames[0]?.hvcC ?? Buffer.alloc(0), ispe(...tileSize), ispe(...(photo.claims ?? [width, height]))]
  const extra = [
    ...(icc ? [box('colr', Buffer.from('prof'), icc)] : []),
    ...(clap ? [box('clap', u32(clap[0], 1, clap[1], 1, 0, 1, 0, 1))] : []),
    ...(irot === undefined ? [] : [box('irot', u8(irot))]),
    ...(imir === undefined ? [] : [box('imir', u8(imir))]),
  ]
  const extras = extra.map((property) => properties.push(property))
  const items: Item[] = frames.map(({ data }, i) => ({
    id: i + 1,
    type: 'hvc1',
    data: damage(data),
    properties: [1, 2, ...(isGrid ? [] : extras)],
  }))
  const tileIds = items.map(({ id }) => id)
  const primary = isGrid ? items.length + 1 : 1
  if (isGrid) {
    const grid = Buffer.concat([u8(0, 0, rows - 1, columns - 1), u16(width, height)])
    items.push({ id: primary, type: 'grid', data: grid, properties: [3, ...extras], inIdat: true })
  }
  if (exif) items.push({ id: items.length + 1, type: 'Exif', data: exif, properties: [] })
  const references = [
    ...(isGrid ? [box('dimg', u16(primary, tileIds.length, ...tileIds))] : []),
    ...(exif ? [box('cdsc', u16(items.length, 1, primary))] : []),
  ]
  return assemble(items, primary, properties, references)
}

function assemble(items: Item[], primary: number, properties: Buffer[], references: Buffer[]): Buffer {
  const ftyp = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'))
  const [idat, mdat] = [true, false].map((inIdat) => items.filter((item) => (item.inIdat ?? false) === inIdat))
  const entries = items.map(({ id, type }) => full('infe', 2, u16(id, 0), Buffer.from(`${type}\0`, 'latin1')))
  const associations = items
    .filter((item) => item.properties.length > 0)
    .map((item) => Buffer.concat([u16(item.id), u8(item.properties.length, ...item.properties.map((i) => i | 0x80))]))
  // Offsets depend on the size of `meta`, which does not depend on them.
  const metaAt = (start: number): Buffer => {
    const places = [idat ?? [], mdat ?? []].flatMap((list, method) => {
      let at = method === 0 ? 0 : start
      return list.map(({ id, data, inIdat }) => {
        at += data.length
        return Buffer.concat([u16(id, inIdat ? 1 : 0, 0, 1), u32(at - data.length, data.length)])
      })
    })
    return full(
      'meta',
      0,
      full('hdlr', 0, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      full('pitm', 0, u16(primary)),
      full('iloc', 1, u8(0x44, 0), u16(places.length), ...places),
      full('iinf', 0, u16(entries.length), ...entries),
      ...(references.length > 0 ? [full('iref', 0, ...references)] : []),
      box('iprp', box('ipco', ...properties), full('ipma', 0, u32(associations.length), ...associations)),
      box('idat', ...(idat ?? []).map(({ data }) => data)),
    )
  }
  const start = ftyp.length + metaAt(0).length + 8
  return Buffer.concat([ftyp, metaAt(start), box('mdat', ...(mdat ?? []).map(({ data }) => data))])
}

type EncodedTile = { hvcC: Buffer; data: Buffer }

const encoded = new Map<string, Promise<EncodedTile>>()

function encodedTile(color: Rgb, side: number): Promise<EncodedTile> {
  const key = `${color.join()} ${side}`
  const tile = encoded.get(key) ?? encodeTile(color, side)
  encoded.set(key, tile)
  return tile
}

/** A tile of one colour: its decoder configuration as a box, and the frame with lengths before its parts. */
async function encodeTile(color: Rgb, side: number): Promise<EncodedTile> {
  const { Encoder, FilterAPI } = await import('node-av/api')
  const { AV_PIX_FMT_RGB24, FF_ENCODER_LIBX265 } = await import('node-av/constants')
  const { CodecParameters, Frame, Log, Rational } = await import('node-av/lib')
  Log.setLevel(16 as never)
  const pixels = Buffer.concat(Array.from({ length: side * side }, () => u8(...color)))
  using frame = Frame.fromVideoBuffer(pixels, {
    width: side,
    height: side,
    format: AV_PIX_FMT_RGB24,
    timeBase: new Rational(1, 1),
  })
  frame.pts = 0n
  using filter = FilterAPI.create('format=yuv420p')
  using encoder = await Encoder.create(FF_ENCODER_LIBX265, {
    filter,
    options: { 'x265-params': 'log-level=none:pools=none:frame-threads=1' },
    configure: (context) => context.setFlags(GLOBAL_HEADER as never),
  })
  const parts: Buffer[] = []
  for (const ready of [...(await filter.processAll(frame)), null])
    for (const packet of await encoder.encodeAll(ready)) parts.push(lengthPrefixed(packet.data ?? Buffer.alloc(0)))
  const parameters = new CodecParameters()
  parameters.alloc()
  const context = encoder.getCodecContext()
  if (context) parameters.fromContext(context)
  const hvcC = box('hvcC', parameters.getDecoderConfigurationRecord() ?? Buffer.alloc(0))
  parameters.free()
  return { hvcC, data: Buffer.concat(parts) }
}

const GLOBAL_HEADER = 1 << 22

/** Replaces the start codes of NAL units with their lengths. */
function lengthPrefixed(annexB: Buffer): Buffer {
  const units =
    annexB
      .toString('hex')
      .match(/../g)
      ?.join(' ')
      .split(/(?:00 )?00 00 01 /)
      .slice(1) ?? []
  const bytes = units.map((unit) => Buffer.from(unit.replaceAll(' ', ''), 'hex'))
  return Buffer.concat(bytes.map((unit) => Buffer.concat([u32(unit.length), unit])))
}
