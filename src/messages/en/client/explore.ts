export const enClientExplore = {}

export type ClientExploreTexts = typeof enClientExplore
