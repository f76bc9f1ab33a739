import { composeRequest, placedComposer, type Place } from './open.ts'

/** Shows the composer while a reply is written below `place`. */
export function ReplyPlace({ place }: { place: Place }) {
  const request = composeRequest.value
  const Composer = placedComposer.value
  return request?.place === place && Composer ? <Composer key={request} request={request} /> : null
}
