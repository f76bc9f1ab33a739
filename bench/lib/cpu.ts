import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

type Process = { pid: number; parent: number; ticks: number }

function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return [{ pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }]
      } catch {
        return [] // The process has ended.
      }
    })
}

/** CPU seconds, user and system, that a process and its descendants have used so far. */
export function cpuSeconds(root: number): number {
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
  return all.filter(({ pid }) => tree.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND
}

/** Resident memory of a process without its children, in MB. */
export function residentMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}
