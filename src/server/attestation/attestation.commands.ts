import { type Command } from 'commander'
import { checkProof, OUTCOME_TEXTS, readHeaderInput } from '#domain/proof/check-proof.ts'
import { type Db } from '#server/kit/db.ts'
import { type CommandKit } from '#server/kit/kit.ts'
import { type Log } from '#server/kit/log.ts'
import { openOutbox } from '#server/kit/outbox.ts'
import { realRelays, type NostrSettings } from '#server/kit/settings/nostr.ts'
import { type Clock } from '#server/kit/time.ts'
import { nostrOutbox } from '#server/publishing/nostr/outbox.service.ts'
import { nostrRelays, nostrSigner } from '#server/publishing/nostr/relays.ts'
import { signedRecordService } from './attestation.service.ts'

const NO_KEY =
  'The record is signed with the key of the site. Set NOSTR_PRIVATE_KEY; see .env.example.'

const WORDS = {
  waiting: 'waiting',
  accepted: 'taken',
  already: 'there before',
  refused: 'refused',
  'given-up': 'given up',
  replaced: 'replaced before it was sent',
} as const

/** @returns sentences for people @throws Error with a sentence without a key */
export async function signRecord(
  needs: { db: Db; clock: Clock; log: Log; settings: NostrSettings },
  publish: boolean,
): Promise<string> {
  const { db, clock, log, settings } = needs
  if (settings.privateKey === null) throw new Error(NO_KEY)
  const signer = nostrSigner(settings.privateKey)
  const urls = realRelays(settings.relays)
  const record = signedRecordService({ db, clock }, signer, urls)
  const signed = await record.sign()
  const lines = [`${String(signed)} events signed by ${signer.npub}.`]
  if (!publish) return lines.join('\n')
  const relays = nostrRelays(urls, { signer, clock })
  const outbox = nostrOutbox({
    db,
    clock,
    log,
    signer,
    relays,
    outbox: openOutbox({ db, clock, log, jobs: null }),
  })
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
    lines.push('The running site, or this command later, sends the rest.')
  }
  return lines.join('\n')
}

export function addRecordEvents(
  program: Command,
  options: CommandKit & {
    readonly log: { readonly warn: (text: string) => void }
    readonly settings: () => NostrSettings
  },
): void {
  const { clock, settings, withDb, print } = options
  const warn = (_: object, text: string): void => options.log.warn(text)
  const log: Log = { info: () => {}, warn, error: warn }
  program
    .command('record-events')
    .description('sign changes of the record as Nostr events (docs/signed-record.md)')
    .option('--publish', 'also send them to the relays of NOSTR_RELAYS')
    .action(async ({ publish = false }: { publish?: boolean }) => {
      await withDb(async (db) => {
        print(await signRecord({ db, clock, log, settings: settings() }, publish))
      })
    })
}

/** No fault, but no header proves anything. */
const EXIT_OPEN = 3
const MARKS = { good: 'ok  ', bad: 'BAD ', open: '?   ' } as const
const RAW_HEADER_BYTES = 80

/** Adds the check of a proof, which works without site, database and internet. */
export function addVerifyProof(
  program: Command,
  {
    readBytes,
    print,
  }: { readBytes: (file: string) => Promise<Uint8Array>; print: (text: string) => void },
): void {
  program
    .command('verify-proof')
    .description(
      'check an event or a day of the signed record against its Bitcoin proof (docs/signed-record.md), offline',
    )
    .argument('<event.json>', 'an event, or a day with its leaves')
    .argument('<proof.ots>')
    .option(
      '--header <hex or file...>',
      'block headers: 160 hexadecimal digits each, or files with those or with 80 bytes; the prefix <height>: gives the block',
    )
    .option(
      '--test-chain',
      'accept headers with little work, which prove nothing on the main chain',
    )
    .addHelpText(
      'after',
      '\nExit status: 0 proved by a header, 1 something does not match, 3 no fault, but no header proves it yet.',
    )
    .action(
      async (
        file: string,
        proof: string,
        { header = [], testChain = false }: { header?: string[]; testChain?: boolean },
      ) => {
        const headers = await Promise.all(header.map((text) => headerOf(text, readBytes)))
        const [event, ots] = [await readBytes(file), await readBytes(proof)]
        const { outcome, steps } = checkProof(event, ots, headers, testChain ? 0 : undefined)
        for (const { is, title, text } of steps) print(`${MARKS[is]}${title}: ${text}`)
        print(OUTCOME_TEXTS[outcome])
        if (outcome === 'wrong') process.exitCode = 1
        if (outcome === 'open') process.exitCode = EXIT_OPEN
      },
    )
}

async function headerOf(text: string, readBytes: (file: string) => Promise<Uint8Array>) {
  const pasted = readHeaderInput(text)
  if (pasted) return pasted
  const [, height, file = text] = /^(\d{1,9}):(.+)$/.exec(text) ?? []
  const bytes = await readBytes(file)
  const statedHeight = height === undefined ? null : Number(height)
  if (bytes.length === RAW_HEADER_BYTES) return { height: statedHeight, bytes }
  const written = readHeaderInput(new TextDecoder().decode(bytes))
  if (written) return { height: written.height ?? statedHeight, bytes: written.bytes }
  throw new Error(`${file} contains no header: 80 bytes, or 160 hexadecimal digits.`)
}
