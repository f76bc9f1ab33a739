// A storm as data: acts with their parameters, drawn from a seed. Posts and lists have labels, so that a plan without some of its
// acts still means the same.
import { randomNumbers } from './random.ts'
import { NAMES, type Visibility, type World } from './world.ts'

export type Given = Record<string, any>
export type Step = { act: string; by: string; given: Given }
/** Steps of one batch run at the same time. */
export type Batch = { steps: Step[]; drains: boolean }

export type Act = {
  /** How often it is drawn. */
  weight: number
  /** Parameters, or null when there is nothing yet to act on. */
  draw(draw: Draw, by: string): Given | null
  run(world: World, by: string, given: Given): Promise<unknown>
}
export type Acts = Record<string, Act>

type Drawn = { label: string; number: number; by: string; visibility: Visibility; kind: 'post' | 'boost' }

/** The values from which parameters are drawn. */
export class Draw {
  readonly random: () => number
  readonly posts: Drawn[] = []
  readonly things: { label: string; kind: string; by: string }[] = []
  /** In a burst, most acts are by and about these. */
  focus: { people: readonly string[]; post: string | null } | null = null
  constructor(seed: number) {
    this.random = randomNumbers(seed)
  }
  below(bound: number): number {
    return Math.floor(this.random() * bound)
  }
  chance(probability: number): boolean {
    return this.random() < probability
  }
  one<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T
  }
  /** Null when there are none. The newest are the most likely. */
  recent<T>(values: readonly T[]): T | null {
    return values.length === 0
      ? null
      : (values[values.length - 1 - Math.floor(this.random() ** 2 * values.length)] as T)
  }
  person(): string {
    return this.focus && this.chance(0.8) ? this.one(this.focus.people) : this.one(NAMES)
  }
  other(name: string): string {
    const others = this.focus && this.chance(0.8) ? this.focus.people : NAMES
    return this.one(others.filter((each) => each !== name))
  }
  post(fits: (post: Drawn) => boolean = () => true): string | null {
    const focused = this.posts.find(({ label }) => label === this.focus?.post)
    if (focused && fits(focused) && this.chance(0.8)) return focused.label
    return this.recent(this.posts.filter(fits))?.label ?? null
  }
  own(by: string): string | null {
    return this.post((post) => post.by === by && post.kind === 'post')
  }
  thing(kind: string, by: string): string | null {
    return this.recent(this.things.filter((each) => each.kind === kind && each.by === by))?.label ?? null
  }
  newPost(by: string, kind: Drawn['kind'], visibility: Visibility): Drawn {
    const number = this.posts.length
    const drawn = { label: `${kind}${number}`, number, by, visibility, kind }
    this.posts.push(drawn)
    return drawn
  }
  newThing(kind: string, by: string): string {
    const label = `${kind}${this.things.length}`
    this.things.push({ label, kind, by })
    return label
  }
}

/** `bursts`: how likely a batch is a burst. */
export function makePlan(seed: number, length: number, acts: Acts, bursts: number): Batch[] {
  const draw = new Draw(seed)
  const weighted = Object.entries(acts)
  const total = weighted.reduce((sum, [, { weight }]) => sum + weight, 0)
  const drawStep = (): Step => {
    for (;;) {
      let left = draw.random() * total
      const [act, { draw: drawGiven }] = weighted.find(([, { weight }]) => (left -= weight) < 0) as [string, Act]
      const by = draw.person()
      const given = drawGiven(draw, by)
      if (given) return { act, by, given }
    }
  }
  const batches: Batch[] = drawFollows(draw)
  for (let count = 0; count < length;) {
    const isBurst = draw.chance(bursts)
    if (isBurst) {
      const one = draw.one(NAMES)
      draw.focus = { people: [one, draw.other(one), draw.one(NAMES)], post: draw.post() }
    }
    const steps = [drawStep()]
    if (isBurst) for (let more = 4 + draw.below(8); more > 0; more--) steps.push(drawStep())
    draw.focus = null
    if (draw.chance(0.25)) for (let more = draw.below(4); more > 0; more--) steps.push(drawStep())
    // The same act twice at the same time.
    if (draw.chance(0.05)) steps.push(steps[0] as Step)
    batches.push({ steps, drains: draw.chance(0.4) })
    count += steps.length
  }
  return batches
}

/** Half of all pairs follow each other before the storm: among strangers little would happen. */
const drawFollows = (draw: Draw): Batch[] =>
  NAMES.map((by) => ({
    steps: NAMES.filter((target) => target !== by && draw.chance(0.5)).map((target) => ({
      act: 'followAccount',
      by,
      given: { target, json: {} },
    })),
    drains: by === NAMES.at(-1),
  }))
