export const enClientAppearance = {}

export type ClientAppearanceTexts = typeof enClientAppearance
