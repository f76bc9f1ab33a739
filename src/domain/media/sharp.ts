import { createRequire } from 'node:module'
import type sharp from 'sharp'
import type { Sharp, SharpOptions } from 'sharp'

type Library = typeof sharp

let library: Library | null = null

/** Loads the library on first use: many servers start more often than they process images, and it takes memory and time. */
export function openImage(input: string | Buffer, options: SharpOptions = {}): Sharp {
  library ??= load()
  return library(input, options)
}

function load(): Library {
  const sharp = createRequire(import.meta.url)('sharp') as Library
  // Uploads reach only these decoders; the library has others, such as SVG and TIFF.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpeg',
      'VipsForeignLoadPng',
      'VipsForeignLoadNsgif',
      'VipsForeignLoadWebp',
      'VipsForeignLoadHeif',
    ],
  })
  // A cache would only take memory, as every upload is a new file; one thread per image, as several are processed at once.
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}
