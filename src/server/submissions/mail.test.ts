import { SourceError } from '#server/kit/ports.ts'
import { mailSink, type MailSink } from '#tests/support/stand-ins/mail-sink.ts'
import { expect, it } from 'vitest'
import { AddressRefused, smtpMailer } from './mail.ts'

const MAIL = { to: 'reader@example.org', subject: '', text: '', html: '', unsubscribeUrl: 'x:' }

/** Sends one mail. @returns what it failed by */
async function faultOf(sink: Pick<MailSink, 'url'>, withinMs = 60_000): Promise<string> {
  const mailer = smtpMailer({ url: sink.url, from: 'Proof of Price <news@site.org>' })
  return mailer.send({ ...MAIL, id: 'one@site.org' }, AbortSignal.timeout(withinMs)).then(
    () => 'none',
    (error: unknown) => {
      if (error instanceof AddressRefused) return 'address'
      return error instanceof SourceError ? error.fault : String(error)
    },
  )
}

it.each<[string, string, Partial<MailSink['mood']>]>([
  ['none', 'takes the mail', {}],
  ['busy', 'puts it off', { refuseWith: 451 }],
  ['address', 'refuses the address', { refuseWith: 550 }],
  ['busy', 'does not relay', { refuseWith: 554, words: '5.7.1 Relay access denied' }],
  ['busy', 'relays for others', { refuseWith: 550, words: 'relay not permitted' }],
  ['busy', 'blocks us', { refuseWith: 550, words: '5.7.1 Your address is on a list of senders' }],
  ['busy', 'dies with the mail', { after: 'dies' }],
  ['busy', 'never ends its reply', { after: 'never ends' }],
])('a fault of the kind %s where the server %s', async (fault, _, mood) => {
  await using sink = await mailSink()
  Object.assign(sink.mood, mood)
  expect(await faultOf(sink, mood.after === 'never ends' ? 500 : undefined)).toBe(fault)
})

it('nothing was sent without a server or in time', async () => {
  const sink = await mailSink()
  expect(await faultOf(sink, 0)).toBe('down')
  await sink[Symbol.asyncDispose]()
  expect(await faultOf(sink)).toBe('down')
})
