import { type SocialNetwork } from '#domain/publishing/social-post.ts'
import { setImmediate as breathe } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startPublishing } from './publishing.jobs.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await breathe()
}

/** A sender whose posts to X hang until they are let go. */
function hangingX(due: Record<SocialNetwork, number>) {
  const hung: (() => void)[] = []
  const sent: SocialNetwork[] = []
  let rounds = 0
  const jobs = startPublishing({
    log: SILENT,
    roundMs: 1,
    planAutomatic: () => Promise.resolve((rounds += 1)),
    dropUnused: () => Promise.resolve(),
    endPosts: () => Promise.resolve(),
    sendOne: async (network) => {
      if (due[network] === 0) return false
      due[network] -= 1
      if (network === 'x') await new Promise<void>((done) => hung.push(done))
      sent.push(network)
      return true
    },
  })
  return { due, hung, sent, jobs, rounds: () => rounds }
}

it('a few posts are sent at a time, and what hangs holds up neither the other network nor what is due later', async () => {
  const site = hangingX({ x: 8, nostr: 1, bluesky: 0 })
  await until(() => site.hung.length === 3)
  site.due.nostr = 5
  await until(() => site.sent.length === 6)
  const { length: before } = site.hung
  const round = site.rounds()
  await until(() => site.rounds() > round + 3)
  expect([before, site.hung.length, site.due.x]).toEqual([3, 3, 5])
  site.hung[0]?.()
  await until(() => site.hung.length === 4)
  let hasStopped = false
  const stopped = site.jobs.stop().then(() => (hasStopped = true))
  await breathe()
  expect(hasStopped, 'what is being sent is waited for').toBe(false)
  for (const done of site.hung) done()
  await stopped
  expect(site.hung).toHaveLength(4)
})
