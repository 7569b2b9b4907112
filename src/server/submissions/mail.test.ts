import { expect, it } from 'vitest'
import { SourceError } from '#server/kit/failure.ts'
import { mailSink, type MailSink } from '#tests/support/stand-ins/mail-sink.ts'
import { AddressRefused, smtpMailer } from './mail.ts'

const MAIL = { to: 'reader@example.org', subject: '', text: '', html: '', unsubscribeUrl: 'x:' }

/** Sends one mail. @returns what it failed by */
async function faultOf(
  sink: Pick<MailSink, 'url'>,
  withinMs = 60_000,
  asking = async () => {},
): Promise<string> {
  const mailer = smtpMailer({ url: sink.url, from: 'Proof of Price <news@site.org>' })
  const within = AbortSignal.timeout(withinMs)
  return mailer.send({ ...MAIL, id: 'one@site.org' }, within, asking).then(
    () => 'none',
    (error: unknown) => {
      if (error instanceof AddressRefused) return 'address'
      return error instanceof SourceError ? error.fault : String(error)
    },
  )
}

it.each<[string, string, Partial<MailSink['behaviour']>]>([
  ['none', 'accepts the mail', {}],
  ['busy', 'defers it', { refuseWith: 451 }],
  ['address', 'refuses the address', { refuseWith: 550 }],
  ['busy', 'does not relay', { refuseWith: 554, words: '5.7.1 Relay access denied' }],
  ['busy', 'relays for others', { refuseWith: 550, words: 'relay not permitted' }],
  ['busy', 'blocks us', { refuseWith: 550, words: '5.7.1 Your address is on a list of senders' }],
  ['busy', 'dies before it is given the mail', { before: 'dies' }],
  ['unsure', 'dies with the mail', { after: 'dies' }],
  ['unsure', 'never ends its reply', { after: 'never ends' }],
])('the fault is %s if the server %s', async (fault, _, behaviour) => {
  await using sink = await mailSink()
  Object.assign(sink.behaviour, behaviour)
  expect(await faultOf(sink, behaviour.after === 'never ends' ? 500 : undefined)).toBe(fault)
})

it('a mail is not sent without a server, or after its time limit', async () => {
  const sink = await mailSink()
  expect(await faultOf(sink, 0)).toBe('down')
  await sink[Symbol.asyncDispose]()
  expect(await faultOf(sink)).toBe('down')
})

it('a mail is handed over only after `asking`, and not at all if that fails', async () => {
  await using sink = await mailSink()
  const noted: number[] = []
  const note = async () => void noted.push((await sink.mails()).length)
  expect(await faultOf(sink, 60_000, note)).toBe('none')
  expect([noted, sink.recipients.length]).toEqual([[0], 1])
  sink.clear()
  const fault = await faultOf(sink, 60_000, () => Promise.reject(new SourceError('refused', '')))
  expect([fault, await sink.mails()]).toEqual(['refused', []])
  sink.behaviour.refuseWith = 550
  await faultOf(sink, 60_000, note)
  expect(noted).toEqual([0])
})
