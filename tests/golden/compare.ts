import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is shown on each side of a difference: characters. */
const AROUND = 70

/** Prints the addresses whose answers are not the same. @returns how many */
export function compareFolders(before: string, after: string): number {
  let count = 0
  for (const record of foldersOf(before, after)) {
    const [old, now] = [join(before, record), join(after, record)]
    for (const name of new Set([...filesOf(old), ...filesOf(now)].toSorted())) {
      const [a, b] = [textAt(old, name), textAt(now, name)]
      if (a === b) continue
      count += 1
      const [address] = (a ?? b ?? '').split('\n')
      console.log(`${record} ${String(address)}`)
      for (const line of difference(a, b)) console.log(`    ${line}`)
    }
  }
  return count
}

function foldersOf(...folders: readonly string[]): string[] {
  return [...new Set(folders.flatMap(filesOf))].toSorted()
}

function filesOf(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

function textAt(folder: string, name: string): string | null {
  const file = join(folder, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

function difference(before: string | null, after: string | null): string[] {
  if (before === null) return ['was not asked for']
  if (after === null) return ['is not asked for any more']
  const [a, b] = [partsOf(before), partsOf(after)]
  if (a.head !== b.head) return firstLine(a.head, b.head)
  const [was, is] = [jsonOf(a.body), jsonOf(b.body)]
  const found = was !== undefined && is !== undefined ? paths(was, is, '') : []
  const [first, ...others] = found
  if (first === undefined) return firstLine(a.body, b.body)
  return [first, ...(others.length > 0 ? [`and at ${String(others.length)} other places`] : [])]
}

function partsOf(text: string): { readonly head: string; readonly body: string } {
  const at = text.indexOf('\n\n')
  return { head: text.slice(0, at), body: text.slice(at + 2) }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Each place at which two values differ, with what is there. */
function paths(a: unknown, b: unknown, at: string): string[] {
  if (Object.is(a, b)) return []
  if (!isGroup(a) || !isGroup(b) || Array.isArray(a) !== Array.isArray(b))
    return [`${at || 'all of it'}: ${shown(a)} -> ${shown(b)}`]
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  const step = (name: string): string => (Array.isArray(a) ? `${at}[${name}]` : `${at}.${name}`)
  return [...names].flatMap((name) => paths(a[name], b[name], step(name)))
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 2 * AROUND ? `${text.slice(0, 2 * AROUND)}…` : text
}

function firstLine(before: string, after: string): string[] {
  const [a, b] = [before.split('\n'), after.split('\n')]
  const n = a.findIndex((line, at) => line !== b[at])
  const at = n === -1 ? a.length : n
  const [was, is] = [a[at] ?? '', b[at] ?? '']
  let same = 0
  while (same < was.length && was[same] === is[same]) same += 1
  const part = (line: string): string =>
    line.slice(Math.max(0, same - AROUND), same + AROUND).trimEnd()
  const changed =
    Math.max(a.length, b.length) === at ? 0 : a.filter((line, i) => line !== b[i]).length
  return [
    `- ${part(was)}`,
    `+ ${part(is)}`,
    `line ${String(at + 1)}, of ${String(changed)} that differ`,
  ]
}
