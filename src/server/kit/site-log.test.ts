import { expect, it } from 'vitest'
import { siteLog } from './site-log.ts'

function lines(isTTY: boolean) {
  const written: string[] = []
  const log = siteLog('info', { isTTY, write: (text) => written.push(text) })
  return { log, written }
}

it('the log speaks sentences on a terminal', () => {
  const { log, written } = lines(true)
  log.warn({ source: 'kraken' }, 'Kraken cannot be reached (ENOTFOUND). It is tried again later.')
  log
    .child({ route: '/' })
    .warn({ err: new Error('the line broke') }, 'a receipt could not be sent')
  expect(written).toEqual([
    'Kraken cannot be reached (ENOTFOUND). It is tried again later.\n',
    'A receipt could not be sent: the line broke.\n',
  ])
})

it('the log includes the stack of internal errors', () => {
  const { log, written } = lines(true)
  log.error({ err: new Error('it broke') }, 'a call failed')
  expect(written[0]).toMatch(/^A call failed: it broke\.\nError: it broke\n +at /)
})

it('the log is JSON where a program reads', () => {
  const { log, written } = lines(false)
  log.warn({ source: 'kraken' }, 'Kraken cannot be reached.')
  expect(JSON.parse(written[0] ?? '')).toMatchObject({
    level: 40,
    source: 'kraken',
    msg: 'Kraken cannot be reached.',
  })
})
