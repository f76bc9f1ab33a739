import { collectionActs } from './acts-collections.ts'
import { peopleActs } from './acts-people.ts'
import { postActs } from './acts-posts.ts'
import { settingActs } from './acts-settings.ts'
import { staffActs } from './acts-staff.ts'
import type { Acts } from './plan.ts'

export const ACTS: Acts = { ...postActs, ...prefixed(peopleActs), ...settingActs, ...collectionActs, ...staffActs }

/** Posts and accounts can both be muted. */
function prefixed(acts: Acts): Acts {
  return Object.fromEntries(Object.entries(acts).map(([name, act]) => [`${name}Account`, act]))
}
