import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/auth/viewer.ts'
import type { Topic } from '../hub.ts'

/** What a subscriber sent beside the name of the stream. */
export type StreamParams = { tag?: string; list?: string }

/** A stream that can be subscribed to. */
export type Channel = {
  /** As clients name it: `public:local`. */
  name: string
  /** Its path for server-sent events beneath /api/v1/streaming/. A name ending in `:media` is its twin with `only_media`. */
  path: string
  /** One of these has to be covered by the token; none: any token of a person will do. */
  scopes: readonly string[]
  /** Makes ready what the stream needs, and says what is listened to and how it is called. Throws AppError. */
  open(ctx: Context, viewer: Viewer, params: StreamParams): Promise<{ topic: Topic; stream: readonly string[] }>
}
