export type SeedOptions = {
  accounts: number
  statuses: number
  seed: number
  progress(what: string, done: number, of: number): void
}

export type Seeded = { people: Citizen[]; statuses: Posted[] }
export type Citizen = { id: string; userId: string; username: string }
export type Posted = {
  id: string
  authorId: string
  visibility: 'public' | 'unlisted' | 'private' | 'direct'
  isPoll: boolean
}
