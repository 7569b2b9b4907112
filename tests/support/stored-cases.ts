import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { inspect } from 'node:util'
import { expect } from 'vitest'
import { day } from '#domain/day.ts'

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu
const escaped = (text: string): string =>
  text.replaceAll(INVISIBLE, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`)

/** As `"a\u200B"` if it has quotation marks around it, with `{x*9}` as nine x. */
function partOf(text: string): string {
  const full = text.replaceAll(/\{([^{}]+)\*(\d+)\}/g, (_, one: string, n) => one.repeat(Number(n)))
  return full.startsWith('"') && full.endsWith('"') ? (JSON.parse(full) as string) : full
}

function shown(answer: unknown): string {
  const isText = typeof answer === 'string'
  const text = isText
    ? answer
    : inspect(answer, { depth: null, breakLength: Infinity, compact: true })
  const isPlain = !isText || (text !== '' && text === text.trim() && escaped(text) === text)
  const short = (isPlain ? text : JSON.stringify(text)).replaceAll(
    /(.)\1{49,}/gu,
    (run, one: string) => `{${one}*${String(run.length / one.length)}}`,
  )
  return escaped(short)
}

export const jsonPart = <T = object>(text = '{}'): T => JSON.parse(text) as T

/** A part in JSON, with days for their dates. */
export const datedPart = <T = object>(text = '{}'): T =>
  JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? day(value) : value,
  ) as T

/**
 * Holds rules to the cases in `tests/texts/rules/<name>.txt`. There `# rule` begins the cases of one; a case is
 * `part | part → answer`. `vitest -u` writes the answers.
 */
export async function storedCases(
  name: string,
  rules: Readonly<Record<string, (...parts: readonly string[]) => unknown>>,
): Promise<void> {
  const file = resolve(`tests/texts/rules/${name}.txt`)
  const used = new Set<string>()
  const lines: string[] = []
  let rule = ''
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.startsWith('# ')) used.add((rule = line.slice(2)))
    const isCase = line !== '' && !/^(?:#|\/\/) /.test(line)
    const [input = ''] = line.split(' → ')
    const answer = isCase && (await rules[rule]?.(...input.split(' | ').map(partOf)))
    lines.push(isCase ? `${input} → ${shown(answer)}` : line)
  }
  expect([...used].toSorted()).toEqual(Object.keys(rules).toSorted())
  await expect(lines.join('\n')).toMatchFileSnapshot(file)
}
