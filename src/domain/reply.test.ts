import { expect, it } from 'vitest'
import { storedCases } from '#tests/support/stored-cases.ts'
import { readReply, REPLY_EVENT_KIND, replyDraft, replyEventFault, replyLength } from './reply.ts'

function fault(text: string, link = ''): unknown {
  const read = readReply({ text, link })
  return read.ok ? null : read.faults
}

it('replies are read as stored: verbatim, except for characters that forms and clipboards add', () =>
  storedCases('reply', {
    'the fault of a text': (text) => fault(text),
    'the fault of a link': (link) => fault('A', link),
    'a reply with a link': (text, link) => readReply({ text, link }),
  }))

it('a thousand emoji are a thousand characters', () => {
  expect(replyLength('😀'.repeat(1_000))).toBe(1_000)
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
