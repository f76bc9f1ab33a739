/** What uploads may be. Sizes in bytes, areas in pixels; the values are Mastodon's. */
export const IMAGE_SIZE_LIMIT = 16 * 1024 * 1024
export const VIDEO_SIZE_LIMIT = 99 * 1024 * 1024
/** Custom emojis of other servers. */
export const EMOJI_SIZE_LIMIT = 2 * 1024 * 1024
/** Films and sounds of other servers, which are only passed on. */
export const PASSED_ON_LIMIT = 1024 * 1024 * 1024
/** Avatars and headers. */
export const PROFILE_IMAGE_SIZE_LIMIT = 8 * 1024 * 1024

/** Width times height that an image may arrive with. */
export const IMAGE_MATRIX_LIMIT = 33_177_600
/** Of one frame of a video or an animation. */
export const VIDEO_MATRIX_LIMIT = 8_294_400
export const VIDEO_FRAME_RATE_LIMIT = 120
/** Pixels of all frames together, which is what a conversion costs. An animation: half a minute of CPU; 1080p for 16 minutes at 60 Hz. */
export const ANIMATION_PIXELS_LIMIT = 2_000_000_000
export const VIDEO_PIXELS_LIMIT = 120_000_000_000

/** Larger images are scaled down to this area (3840x2160) when stored, previews to that of 640x360. */
export const ORIGINAL_AREA = 8_294_400
export const PREVIEW_AREA = 230_400

export const DESCRIPTION_LIMIT = 1500
export const MAX_ATTACHMENTS = 4
