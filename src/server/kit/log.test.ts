import { expect, it } from 'vitest'
import { siteLog } from './log.ts'

function lines(isTTY: boolean) {
  const written: string[] = []
  const log = siteLog('info', { isTTY, write: (text) => written.push(text) })
  return { log, written }
}

it('writes sentences to a terminal', () => {
  const { log, written } = lines(true)
  log.warn({ source: 'kraken' }, 'Kraken cannot be reached (ENOTFOUND). It will be retried.')
  log
    .child({ route: '/' })
    .warn({ err: new Error('the line broke') }, 'a receipt could not be sent')
  expect(written).toEqual([
    'Kraken cannot be reached (ENOTFOUND). It will be retried.\n',
    'A receipt could not be sent: the line broke.\n',
  ])
})

it('includes the stack of internal errors', () => {
  const { log, written } = lines(true)
  log.error({ err: new Error('it broke') }, 'a call failed')
  expect(written[0]).toMatch(/^A call failed: it broke\.\nError: it broke\n +at /)
})

it('writes JSON if the output is not a terminal', () => {
  const { log, written } = lines(false)
  log.warn({ source: 'kraken' }, 'Kraken cannot be reached.')
  expect(JSON.parse(written[0] ?? '')).toMatchObject({
    level: 40,
    source: 'kraken',
    msg: 'Kraken cannot be reached.',
  })
})
