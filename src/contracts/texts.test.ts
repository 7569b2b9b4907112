import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Route } from './route.ts'

const WRONG = [undefined, {}, '', 'x'.repeat(30_000), -1]
const PARTS = ['params', 'query', 'body', 'reply'] as const
/** Messages of zod itself repeat the schema. */
const OWN = /^(?!Invalid (?:input|option)|Too (?:big|small))/

const isRoute = (one: unknown): one is Route =>
  typeof one === 'object' && one !== null && 'access' in one && 'path' in one

/** What a field accepts, and says to wrong values. */
function fieldText(schema: z.ZodType, name: string, accepted: unknown): string {
  const said = WRONG.flatMap((value) => schema.safeParse({ [name]: value }).error?.issues ?? [])
  const own = said.filter(({ path, message }) => path[0] === name && OWN.test(message))
  const messages = [...new Set(own.map(({ message }) => message))]
  return [JSON.stringify(accepted), ...messages].join(' | ')
}

it('calls have their stored rights, limits, fields and messages', async () => {
  const shared = new Map<string, unknown>()
  const texts = []
  for (const file of globSync('src/contracts/*.ts', { exclude: ['**/*.test.ts'] }).toSorted()) {
    const values = Object.values((await import(resolve(file))) as Record<string, unknown>)
    for (const { method, path, access, callsAMinute, ...call } of values.filter(isRoute)) {
      const limit = callsAMinute === undefined ? '' : `, ${String(callsAMinute)} a minute`
      texts.push(`# ${method} ${path}: ${access}${limit}. ${call.summary}`)
      for (const part of PARTS) {
        const schema = call[part]
        if (!schema) continue
        const io = part === 'reply' ? 'output' : 'input'
        const {
          $defs,
          $schema: _,
          ...json
        } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
        for (const [name, one] of Object.entries($defs ?? {})) shared.set(name, one)
        const { properties, ...rest } = json
        texts.push(`${part}: ${JSON.stringify(rest)}`)
        for (const [name, accepted] of Object.entries(properties ?? {}))
          texts.push(` ${name}: ${fieldText(schema, name, accepted)}`)
      }
    }
  }
  texts.push(...[...shared].map(([name, one]) => `# ${name}: ${JSON.stringify(one)}`))
  await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot(resolve('tests/texts/contracts.txt'))
})
