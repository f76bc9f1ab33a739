// Ids of the API are decimal numbers that grow with time.

type HasId = { id: string }

export const oldestFirst = (a: HasId, b: HasId): number =>
  a.id.length - b.id.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

export const latestFirst = (a: HasId, b: HasId): number => oldestFirst(b, a)
