import type { ClientExploreTexts } from '../../en/client/explore.ts'

export const frClientExplore: ClientExploreTexts = {}
