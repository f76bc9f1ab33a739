import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemOf, type MediaLimits } from './media-rules.ts'

const LIMITS: MediaLimits = {
  supported_mime_types: ['image/png', 'video/mp4', 'audio/mpeg'],
  image_size_limit: 100,
  video_size_limit: 1000,
  image_matrix_limit: 1000,
  max_media_attachments: 4,
}

const image = { kind: 'image' } as const

test('files that a post cannot have are refused before the upload', () => {
  const of = (type: string, size: number, others: { kind: 'image' | 'video' | 'audio' }[] = []) =>
    problemOf({ type, size }, others, LIMITS)?.reason ?? null
  assert.equal(of('image/png', 100, [image, image, image]), null)
  assert.equal(of('', 100), null)
  assert.equal(of('image/png', 101), 'size')
  assert.equal(of('video/mp4', 1000), null)
  assert.equal(of('audio/mpeg', 1001), 'size')
  assert.equal(of('text/html', 1), 'type')
  assert.equal(of('video/mp4', 1, [image]), 'mixed')
  assert.equal(of('image/png', 1, [{ kind: 'video' }]), 'mixed')
  assert.equal(of('image/png', 1, [image, image, image, image]), 'count')
})
