// Media types by name and by content: what is accepted, how it is read, and what stored files are served as.
import { extname } from 'node:path'

/** Types of accepted uploads, for `configuration.media_attachments.supported_mime_types`. */
export const IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']
/** Listed only where HEVC can be decoded: without them, apps convert photos themselves. */
export const HEIC_TYPES: readonly string[] = ['image/heic', 'image/heif']
/** Includes every name that apps use for a type. */
export const AUDIO_VIDEO_TYPES: readonly string[] = (
  'video/webm video/mp4 video/quicktime video/ogg audio/wave audio/wav audio/x-wav audio/x-pn-wave audio/vnd.wave audio/ogg ' +
  'audio/vorbis audio/mpeg audio/mp3 audio/webm audio/flac audio/aac audio/m4a audio/x-m4a audio/mp4'
).split(' ')
/** Accepted only where they can be converted, since browsers do not play them. */
export const CONVERTED_TYPES: readonly string[] = ['audio/3gpp', 'video/x-ms-asf']

/** Content types by extension: none of them can run a script or pass for an ActivityPub document. */
const BY_EXTENSION: Record<string, string> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.webm': 'video/webm',
  '.mov': 'video/quicktime',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.aac': 'audio/aac',
  '.ogg': 'audio/ogg',
  '.oga': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.flac': 'audio/flac',
  '.wav': 'audio/wav',
}

export const contentTypeOf = (key: string): string | undefined => BY_EXTENSION[extname(key).toLowerCase()]

/** `demuxer`: FFmpeg's name. `playable`: how the file is stored without conversion; null where browsers cannot play it. */
export type Format = { demuxer: string; playable: StoredType | null; isAnimation: boolean }
type StoredType = { extension: string; contentType: string }

const format = (demuxer: string, extension: string, contentType: string): Format => ({
  demuxer,
  playable: { extension, contentType },
  isAnimation: false,
})
const unplayable = (demuxer: string): Format => ({ demuxer, playable: null, isAnimation: false })
const animation = (demuxer: string): Format => ({ demuxer, playable: null, isAnimation: true })
const MP4 = format('mov', 'mp4', 'video/mp4')
const M4A = format('mov', 'm4a', 'audio/mp4')
const QUICKTIME = format('mov', 'mov', 'video/quicktime')
const ASF = unplayable('asf')
const MOBILE = unplayable('mov')
const OGG = format('ogg', 'ogg', 'audio/ogg')

/** Keyed by the media type that a file's bytes have. */
const FORMATS: Record<string, Format> = {
  'video/mp4': MP4,
  'video/x-m4v': MP4,
  'video/quicktime': QUICKTIME,
  'video/webm': format('matroska', 'webm', 'video/webm'),
  'video/3gpp': MOBILE,
  'video/3gpp2': MOBILE,
  'video/ogg': OGG,
  'audio/ogg': OGG,
  'audio/ogg; codecs=opus': OGG,
  'audio/mp4': M4A,
  'audio/x-m4a': M4A,
  'audio/mpeg': format('mp3', 'mp3', 'audio/mpeg'),
  'audio/aac': format('aac', 'aac', 'audio/aac'),
  'audio/flac': format('flac', 'flac', 'audio/flac'),
  'audio/wav': format('wav', 'wav', 'audio/wav'),
  'audio/x-ms-asf': ASF,
  'video/x-ms-asf': ASF,
  'application/vnd.ms-asf': ASF,
  'image/gif': animation('gif'),
  'image/apng': animation('apng'),
  'image/webp': animation('webp_anim'),
}

export const formatOf = (mime: string): Format | null => FORMATS[mime] ?? null

/** The codecs that uploads reach, by FFmpeg's names; it has hundreds more. */
export const CODECS: ReadonlySet<string> = new Set(
  (
    'h264 hevc vp8 vp9 av1 mpeg4 h263 theora mjpeg prores msmpeg4v3 wmv1 wmv2 wmv3 vc1 gif apng webp webp_anim ' +
    'aac mp3 mp2 mp1 opus vorbis flac alac amr_nb amr_wb wmav1 wmav2 wmapro ' +
    'pcm_s16le pcm_s16be pcm_s24le pcm_s24be pcm_s32le pcm_s32be pcm_f32le pcm_f64le pcm_u8 pcm_alaw pcm_mulaw adpcm_ms adpcm_ima_wav'
  ).split(' '),
)

/** HEIF containers hold AV1, or HEVC (av/heic.ts). */
export const IMAGE_DECODERS: Record<string, string> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'heif',
  'image/heic': 'heif',
  'image/heif': 'heif',
  'image/heic-sequence': 'heif',
  'image/heif-sequence': 'heif',
}

/** Limits of uploads: Mastodon's values, sizes in bytes, areas in pixels. */
export const IMAGE_SIZE_LIMIT = 16 * 1024 * 1024
export const VIDEO_SIZE_LIMIT = 99 * 1024 * 1024
export const EMOJI_SIZE_LIMIT = 2 * 1024 * 1024
/** Remote video and audio, which is proxied and not cached. */
export const PROXIED_SIZE_LIMIT = 1024 * 1024 * 1024
export const PROFILE_IMAGE_SIZE_LIMIT = 8 * 1024 * 1024

/** Width times height of an uploaded image. */
export const IMAGE_MATRIX_LIMIT = 33_177_600
export const VIDEO_MATRIX_LIMIT = 8_294_400
export const VIDEO_FRAME_RATE_LIMIT = 120
/** Pixels of all frames, which determine the cost of a conversion: half a minute of CPU. */
export const ANIMATION_PIXELS_LIMIT = 2_000_000_000
/** 1080p at 60 Hz for 16 minutes. */
export const VIDEO_PIXELS_LIMIT = 120_000_000_000

/** Larger images are scaled down to this area (3840x2160), and previews to 640x360. */
export const ORIGINAL_AREA = 8_294_400
export const PREVIEW_AREA = 230_400

export const DESCRIPTION_LIMIT = 1500
export const MAX_ATTACHMENTS = 4
