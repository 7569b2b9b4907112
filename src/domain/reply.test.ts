import { expect, it } from 'vitest'
import { readReply, REPLY_EVENT_KIND, replyDraft, replyEventFault, replyLength } from './reply.ts'

const fault = (text: string, link = '') => {
  const read = readReply({ text, link })
  return read.ok ? null : read.faults
}

it('a reply is accepted verbatim, except for characters that forms and clipboards add', () => {
  const text = '  <b>A</b>\r\n& B\tC\rD \n'
  const link = 'https://example.org/a'
  const read = { ok: true, text: '<b>A</b>\n& B C\nD', link }
  expect(readReply({ text, link: ` ${link} ` })).toEqual(read)
  expect(readReply({ text: 'قلت ذلك', link: '' })).toMatchObject({ ok: true, link: null })
})

it.each([
  ['', 'Please write your reply.'],
  ['\u200b', 'Please write your reply.'],
  ['a'.repeat(1_001), 'Please use at most 1,000 characters; these are 1,001.'],
  ['a\n'.repeat(41), 'Please use at most 40 lines.'],
  ['pay\u202etxet', 'The text has invisible control characters'],
  ['\u2066a\u2069', 'The text has invisible control characters'],
  ['a\u0007', 'The text has invisible control characters'],
  ['a\ud800', 'The text has invisible control characters'],
  ['see http://example.org', 'Please put the link into its own field'],
  ['see WWW.example.org', 'Please put the link into its own field'],
  [`my key is nsec1${'q'.repeat(58)}`, 'This has a secret key'],
])('the text %j is refused', (text, sentence) => {
  expect(fault(text)?.text).toContain(sentence)
})

it.each([
  ['http://example.org', 'starts with https://'],
  ['javascript:alert(1)', 'starts with https://'],
  ['https://localhost/a', 'starts with https://'],
  ['https://name@example.org', 'starts with https://'],
  ['https://example.org/\u202eb', 'starts with https://'],
  ['https://a.org https://b.org', 'one link only'],
  [`https://example.org/${'a'.repeat(500)}`, 'at most 500 characters'],
])('the link %j is refused', (link, sentence) => {
  expect(fault('A', link)?.link).toContain(sentence)
})

it('a thousand emoji are a thousand characters', () => {
  expect(replyLength('😀'.repeat(1_000))).toBe(1_000)
  expect(fault('😀'.repeat(1_000))).toBeNull()
})

const URL_A = 'https://example.org/predictions/a'
const SIGNED = { url: URL_A, challenge: 'C', text: 'No.', link: 'https://example.org/why' }
const WINDOW = { from: 100, to: 200 }
const DRAFT = replyDraft(SIGNED, 150)

it('a signed reply is accepted', () => {
  expect(DRAFT.kind).toBe(REPLY_EVENT_KIND)
  expect(replyEventFault(DRAFT, SIGNED, WINDOW)).toBeNull()
})

const ELSE = 'https://a.org'
const and = (tag: string[]) => ({ ...DRAFT, tags: [...DRAFT.tags, tag] })
const without = (tag: string) => ({ ...DRAFT, tags: DRAFT.tags.filter(([name]) => name !== tag) })

it.each([
  ['kind', { ...DRAFT, kind: 1 }, 'another kind'],
  ['page', { ...DRAFT, tags: replyDraft({ ...SIGNED, url: ELSE }, 150).tags }, 'another page'],
  ['second page', and(['u', ELSE]), 'another page'],
  ['challenge', { ...DRAFT, tags: [['u', SIGNED.url]] }, 'another challenge'],
  ['text', { ...DRAFT, content: 'No!' }, 'The text that was signed'],
  ['link', without('r'), 'The link that was signed'],
  ['second link', and(['r', ELSE]), 'The link that was'],
  ['tag that nobody reads', and(['note', 'Words beside the reply']), 'other tags than the one'],
  ['too early', { ...DRAFT, created_at: 99 }, 'signed at another time'],
  ['too late', { ...DRAFT, created_at: 201 }, 'signed at another time'],
])('an event with another %s is not this reply', (_, event, sentence) => {
  expect(replyEventFault(event, SIGNED, WINDOW)).toContain(sentence)
})
