import type { ClientComposeTexts } from '../../en/client/compose.ts'

export const arClientCompose: ClientComposeTexts = {}
