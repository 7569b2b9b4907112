import { nostrRelays, nostrSigner } from '#server/publishing/nostr/relays.ts'
import { realRelays, type NostrSettings } from '#server/kit/settings/nostr.ts'
import { type Clock, type Log } from '#server/kit/ports.ts'
import { nostrOutbox } from '#server/publishing/nostr/outbox.service.ts'
import { signedRecordService } from './attestation.service.ts'
import { type Db } from '#server/kit/db.ts'
import { type Command } from 'commander'

const NO_KEY =
  'The record is signed with the key of the site. Set NOSTR_PRIVATE_KEY; see .env.example.'

/** What becomes of an event at a relay, as the table of the command says it. */
const WORDS = {
  waiting: 'waiting',
  accepted: 'taken',
  already: 'there before',
  refused: 'refused',
  'given-up': 'given up',
  replaced: 'replaced before it was sent',
} as const

/**
 * Signs what has changed on record; with `publish` it also sends what is due to the relays, as the running site does.
 *
 * @returns sentences for people
 * @throws Error with a sentence without a key
 */
export async function signRecord(
  needs: { db: Db; clock: Clock; log: Log; settings: NostrSettings },
  publish: boolean,
): Promise<string> {
  const { db, clock, log, settings } = needs
  if (settings.privateKey === null) throw new Error(NO_KEY)
  const signer = nostrSigner(settings.privateKey)
  const urls = realRelays(settings.relays)
  const record = signedRecordService({ db, clock, signer, relays: urls })
  const signed = await record.sign()
  const lines = [`${String(signed)} events signed by ${signer.npub}.`]
  if (!publish) return lines.join('\n')
  const relays = nostrRelays(urls, { signer, clock })
  const outbox = nostrOutbox({ db, clock, log, signer, relays })
  await outbox.announceRelays()
  await outbox.queueRecord()
  await outbox.sendDue()
  const counts = await outbox.recordCounts()
  for (const relay of urls) {
    const theirs = counts.filter((one) => one.relay === relay)
    const parts = theirs.map(({ state, count }) => `${String(count)} ${WORDS[state]}`)
    lines.push(`${relay}: ${parts.join(', ')}.`)
  }
  if (counts.some(({ state }) => state === 'waiting')) {
    lines.push('What waits is sent by the running site, or by this command later.')
  }
  return lines.join('\n')
}

/** Adds the command of the signed record. */
export function addRecordEvents(
  program: Command,
  given: {
    clock: Clock
    log: { readonly warn: (text: string) => void }
    /** Called only when the command runs. */
    settings: () => NostrSettings
    withDb: (work: (db: Db) => Promise<void>) => Promise<void>
    print: (text: string) => void
  },
): void {
  const { clock, settings, withDb, print } = given
  const warn = (_: object, text: string): void => given.log.warn(text)
  const log: Log = { info: () => {}, warn, error: warn }
  program
    .command('record-events')
    .description('sign what has changed on record, as events of Nostr (docs/signed-record.md)')
    .option('--publish', 'send them to the relays of NOSTR_RELAYS, too')
    .action(async ({ publish = false }: { publish?: boolean }) => {
      await withDb(async (db) => {
        print(await signRecord({ db, clock, log, settings: settings() }, publish))
      })
    })
}
