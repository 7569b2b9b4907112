// npm run golden -- take <folder> npm run golden -- compare <folder> [<folder of another run>] The site's public
// responses at a fixed clock, for the starter record and a changed record of 2,000 predictions. It only uses the
// site from outside: its settings, commands and calls.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startThrowAway } from '#tests/support/throw-away-postgres.ts'
import { addressesOf } from './addresses.ts'
import { keepAnswers } from './answers.ts'
import { changedRecord, starterRecord } from './records.ts'
import { goldenSite } from './site.ts'

const RECORDS = [
  { name: 'starter', settings: {}, fill: starterRecord },
  { name: 'changed', settings: { STARTER_DATA: 'off' }, fill: changedRecord },
] as const

async function take(folder: string): Promise<void> {
  const server = await startThrowAway()
  const scratch = mkdtempSync(join(tmpdir(), 'proof-of-price-golden-files-'))
  try {
    for (const { name, settings, fill } of RECORDS) {
      const began = performance.now()
      const site = await goldenSite(server, name, settings)
      try {
        const changed = await fill(site, scratch)
        const filled = performance.now()
        const addresses = await addressesOf(site, changed)
        const size = await keepAnswers(site, join(folder, name), addresses)
        const seconds = (from: number): string => ((performance.now() - from) / 1_000).toFixed(0)
        console.log(
          `${name}: ${String(addresses.length)} addresses, ${(size / 1e6).toFixed(0)} MB, ` +
            `${seconds(began)} s, of which ${seconds(filled)} s for the answers`,
        )
      } finally {
        await site.stop()
      }
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
    await server.stop()
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const [, , command, folder, other] = process.argv
if (command === 'take' && folder !== undefined) {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Error(`${folder} is not empty.`)
  }
  await take(folder)
} else if (command === 'compare' && folder !== undefined && existsSync(folder)) {
  const after = other ?? mkdtempSync(join(tmpdir(), 'proof-of-price-golden-'))
  if (other === undefined) await take(after)
  // Files are named by their address, with one value or tag a line.
  const words = ['diff', '--no-index', '--stat', '--patch', '--unified=0', folder, after]
  const { status } = spawnSync('git', words, { stdio: 'inherit' })
  if (status === 0) console.log('All answers are the same.')
  if (other === undefined) rmSync(after, { recursive: true, force: true })
  process.exitCode = status ?? 1
} else {
  console.error('npm run golden -- take <folder>, or compare <folder of a taking> [<another>]')
  process.exitCode = 1
}
