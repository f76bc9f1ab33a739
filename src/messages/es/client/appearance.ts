import type { ClientAppearanceTexts } from '../../en/client/appearance.ts'

export const esClientAppearance: ClientAppearanceTexts = {}
