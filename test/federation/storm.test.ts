// A storm of random acts by the people of two servers, then checks of what must be true whatever they did. These environment
// variables choose other storms:
// - STORM_SEED: the first seed; STORM_RUNS: how many seeds, one after the other
// - STORM_ACTS: the length of each storm
// - STORM_RACES: 1 for acts that do not wait for the jobs of those before
// - STORM_BURSTS: how likely many acts on the same people happen at once, such as 0.6
// - STORM_OFTEN: acts that are drawn twenty times as often, such as `failure,fetch`
// - STORM_TWINS: 1 for two processes per server
// - STORM_SHORTEN: seconds for shortening a plan that fails, 0 for not at all
// STORM_SEED=7 STORM_RUNS=5 STORM_ACTS=300 STORM_RACES=1 npm test test/federation/storm.test.ts
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planFor, runPlan, shorten } from '../support/storm/storm.ts'

const option = (name: string, usual: number): number => Number(process.env[`STORM_${name}`] ?? usual)
const first = option('SEED', 1)
const often = process.env['STORM_OFTEN']?.split(',') ?? []

for (let seed = first; seed < first + option('RUNS', 1); seed++)
  test(`whatever people do, counters, timelines and servers agree, and private posts stay private (seed ${seed})`, async () => {
    const plan = planFor(seed, option('ACTS', 36), {
      races: option('RACES', 0) > 0,
      often,
      bursts: option('BURSTS', 0.08),
    })
    const twins = option('TWINS', 0) > 0
    const problems = await runPlan(plan, { twins })
    const broken = Object.keys(problems)
    if (broken.length === 0) return
    console.error(`Seed ${seed} breaks ${JSON.stringify(problems, null, 1)}`)
    const shortest = await shorten(plan, broken, option('SHORTEN', 60), { twins })
    console.error(['The shortest plan that does:', ...shortest.map((batch) => JSON.stringify(batch))].join('\n'))
    assert.fail(`seed ${seed} breaks ${broken.join(', ')}`)
  })
