/** A container we take: FFmpeg's name of what reads it, and how it is kept where it has to stay as it came; null where nobody could play that. */
export type Format = { demuxer: string; kept: Kept | null; isAnimation: boolean }
type Kept = { extension: string; contentType: string }

const format = (demuxer: string, extension: string, contentType: string): Format => ({
  demuxer,
  kept: { extension, contentType },
  isAnimation: false,
})
const foreign = (demuxer: string): Format => ({ demuxer, kept: null, isAnimation: false })
const animation = (demuxer: string): Format => ({ demuxer, kept: null, isAnimation: true })
const MP4 = format('mov', 'mp4', 'video/mp4')
const M4A = format('mov', 'm4a', 'audio/mp4')
const QUICKTIME = format('mov', 'mov', 'video/quicktime')
const ASF = foreign('asf')
const MOBILE = foreign('mov')
const OGG = format('ogg', 'ogg', 'audio/ogg')

/** By the type that the bytes of a file are taken for. */
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

/** The format of a film, a sound or a picture that may move; null for everything else. */
export const formatOf = (mime: string): Format | null => FORMATS[mime] ?? null

/** The codecs that may see foreign bytes, by FFmpeg's names; it knows hundreds more. */
export const CODECS: ReadonlySet<string> = new Set(
  (
    'h264 hevc vp8 vp9 av1 mpeg4 h263 theora mjpeg prores msmpeg4v3 wmv1 wmv2 wmv3 vc1 gif apng webp webp_anim ' +
    'aac mp3 mp2 mp1 opus vorbis flac alac amr_nb amr_wb wmav1 wmav2 wmapro ' +
    'pcm_s16le pcm_s16be pcm_s24le pcm_s24be pcm_s32le pcm_s32be pcm_f32le pcm_f64le pcm_u8 pcm_alaw pcm_mulaw adpcm_ms adpcm_ima_wav'
  ).split(' '),
)
