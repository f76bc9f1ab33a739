import type { ClientAppearanceTexts } from '../../en/client/appearance.ts'

export const jaClientAppearance: ClientAppearanceTexts = {}
