import { readdirSync, readFileSync } from 'node:fs'

/** Kernel clock ticks per second, which Linux fixes for user space. */
const TICKS = 100

/** CPU time of this process and all its descendants, ms. */
export function cpuOfTree(root: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const stat = read(`/proc/${pid}/stat`)
      if (stat === null) return []
      // The name in brackets may contain spaces; later fields do not.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return [
        {
          pid: Number(pid),
          parent: Number(fields[1]),
          ticks: Number(fields[11]) + Number(fields[12]),
        },
      ]
    })
  const family = new Set([root])
  let grown = true
  while (grown) {
    grown = false
    for (const { pid, parent } of processes) {
      if (family.has(parent) && !family.has(pid)) {
        family.add(pid)
        grown = true
      }
    }
  }
  const ticks = processes
    .filter(({ pid }) => family.has(pid))
    .reduce((sum, one) => sum + one.ticks, 0)
  return (ticks * 1_000) / TICKS
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process ended after it was listed.
    return null
  }
}
