import { listJobs } from '#contracts/operations.ts'
import { signedRecord, ProofDays } from '#contracts/signed-record.ts'
import { blockHeaders, otsCalendar, type Calendar } from '#server/attestation/calendars.ts'
import { closeDay, defineStamps, queueStamps } from '#server/attestation/stamping.service.ts'
import { expect } from 'vitest'
import { entry } from './builders.ts'
import { emptied, onceForFile } from './once-for-file.ts'
import { signedIn } from './sign-in.ts'
import { type StandInCalendar } from './stand-ins/ots-calendar.ts'
import { testApp } from './test-app.ts'

export const PROOF_KEY = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
export const PROOF_START = Date.parse('2026-11-20T12:00:00Z')

/** A site that signs its record; with calendars it says what becomes of its days there. */
async function signing(calendars: readonly Calendar[]) {
  const clock = { ms: PROOF_START, now: () => clock.ms }
  const app = await testApp({
    clock,
    settings: {
      nostr: { privateKey: PROOF_KEY },
      proofs: { calendars: calendars.map(({ address }) => address) },
    },
    ports: { proofs: { calendars, headers: null } },
  })
  return { ...app, clock }
}

/**
 * Sites for all tests of a file, with calendars and without.
 *
 * @returns makes a record of six events, signed on 20 November, with these calendars; with headers if one of them
 *   has them; `silent` times out soon
 */
export function provingFile() {
  const withCalendars = onceForFile(() => signing([otsCalendar('http://127.0.0.1:9')]))
  const without = onceForFile(() => signing([]))

  return async function proving(
    calendars: readonly StandInCalendar[],
    headersOf: StandInCalendar | null = null,
    silent: StandInCalendar | null = null,
  ) {
    const app = calendars.length > 0 ? withCalendars() : without()
    app.clock.ms = PROOF_START
    await emptied(app)
    await app.imports.predictions(
      JSON.stringify([entry('jane-1'), entry('jane-2', { price_target: 90 })]),
    )
    await app.refresh()
    expect(await app.nostr.record.sign()).toBe(6)
    const kit = {
      ...app.kit,
      outbox: app.outbox,
      calendars: calendars.map((one) =>
        otsCalendar(one.url, { timeoutMs: one === silent ? 300 : 60_000 }),
      ),
      headers: headersOf && blockHeaders(headersOf.url, 0),
    }
    defineStamps(kit)
    return {
      app,
      kit,
      after: async (ms: number): Promise<void> => {
        app.clock.ms += ms
        await closeDay(kit)
        await queueStamps(kit)
        while (await app.outbox.deliver('stamp'));
      },
      days: async () => ProofDays.parse(await app.proofs.service.days()).days,
      record: async (id = 'jane-1') =>
        signedRecord.reply.parse((await app.get(`/api/v1/record/${id}`)).body).in_force,
      bytes: async (path: string): Promise<Uint8Array> => {
        const { statusCode, rawPayload } = await app.app.inject(path)
        expect([path, statusCode]).toEqual([path, 200])
        return new Uint8Array(rawPayload)
      },
      job: async () => {
        const admin = await signedIn(app)
        const { body } = await admin.call('GET', '/api/v1/admin/jobs')
        const { jobs, warnings } = listJobs.reply.parse(body)
        return { warnings, job: jobs.find(({ name }) => name === 'proofs') }
      },
    }
  }
}
