import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

type Process = { pid: number; parent: number; name: string; ticks: number }

/** The ticks of a process include those of its children that have ended. */
function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
        const end = stat.lastIndexOf(')')
        const fields = stat.slice(end + 2).split(' ')
        const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
        return [{ pid: Number(name), parent: Number(fields[1]), name: stat.slice(stat.indexOf('(') + 1, end), ticks }]
      } catch {
        return [] // The process has ended.
      }
    })
}

/** A process and its descendants. */
function treeOf(root: number): Process[] {
  const all = processes()
  const tree = new Set([root])
  for (let grew = true; grew;) {
    grew = false
    for (const { pid, parent } of all) {
      if (tree.has(parent) && !tree.has(pid)) {
        tree.add(pid)
        grew = true
      }
    }
  }
  return all.filter(({ pid }) => tree.has(pid))
}

const isDatabase = ({ name }: Process): boolean => name.startsWith('postgres')
const secondsOf = (tree: readonly Process[]): number =>
  tree.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND

/** CPU seconds, user and system, that a process and its descendants have used so far. */
export const cpuSeconds = (root: number): number => secondsOf(treeOf(root))

/** The same, of PostgreSQL alone. */
export const databaseSeconds = (root: number): number => secondsOf(treeOf(root).filter(isDatabase))

/** CPU seconds that the whole machine has used so far. */
export function machineSeconds(): number {
  const [, user, nice, system, , , irq, softIrq, steal] = (
    readFileSync('/proc/stat', 'latin1').split('\n')[0] as string
  )
    .trim()
    .split(/\s+/)
    .map(Number) as number[]
  return (
    [user, nice, system, irq, softIrq, steal].reduce((sum: number, ticks) => sum + (ticks ?? 0), 0) / TICKS_PER_SECOND
  )
}

/** Resident memory of a process and its descendants in MB, without those of PostgreSQL. */
export const residentMemory = (root: number): number =>
  treeOf(root)
    .filter((process) => !isDatabase(process))
    .reduce((sum, { pid }) => sum + residentOf(pid), 0)

function residentOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024
  } catch {
    return 0 // The process has ended.
  }
}
