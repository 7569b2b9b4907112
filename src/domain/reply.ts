import { onlyText } from './clean-text.ts'
import { showCount } from './price-text.ts'
import { type SignedEvent } from './proof/record-event.ts'
import { holdsSecretKey } from './publishing/nostr.ts'
import { expertPath, predictionPath } from './site.ts'
import { readSourceAddress } from './web-address.ts'

export const REPLY_WITHIN_DAYS = 7
/** Maximum length of a reply, in code points. */
export const LONGEST_REPLY = 1_000
const LONGEST_LINK = 500
const MOST_LINES = 40

export const REPLY_WAYS = ['nostr', 'post', 'email'] as const
export type ReplyWay = (typeof REPLY_WAYS)[number]

export const REPLY_STATES = ['waiting', 'published', 'declined', 'withdrawn'] as const
export type ReplyState = (typeof REPLY_STATES)[number]

export const REPLY_WAY_WORDS: Readonly<Record<ReplyWay, string>> = {
  nostr: 'signed with the Nostr key on record',
  post: 'confirmed by a post of their account',
  email: 'sent by email and confirmed by the operator',
}

export type ReplySubject =
  | { readonly kind: 'prediction'; readonly id: string }
  | { readonly kind: 'person'; readonly slug: string }

export function replySubjectPath(subject: ReplySubject): string {
  return subject.kind === 'prediction' ? predictionPath(subject.id) : expertPath(subject.slug)
}

/** The post that authenticates a reply. It states the purpose, so that nobody is tricked into posting a bare code. */
export function signingSentence(url: string, code: string): string {
  return `I sign my reply on ${url}: ${code}`
}

export function isSigned(post: string, code: string): boolean {
  const signature = new RegExp(String.raw`\bi sign my reply on \S+: ${code}(?![\w-])`, 'i')
  return signature.test(post.replaceAll(/\s+/g, ' '))
}

/** Normalizes what forms and clipboards add; replies are otherwise never changed. */
export function tidyReply(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' ').trim()
}

/** Length in code points. */
export function replyLength(text: string): number {
  return Array.from(tidyReply(text)).length
}

export type ReplyFaults = Partial<Record<'text' | 'link', string>>

/**
 * Validates a reply, in the form and on the server. Text that cannot be shown unedited is rejected.
 *
 * @returns the reply, or a message per field
 */
export function readReply(input: {
  readonly text: string
  readonly link: string
}):
  | { readonly ok: true; readonly text: string; readonly link: string | null }
  | { readonly ok: false; readonly faults: ReplyFaults } {
  const text = tidyReply(input.text)
  const link = input.link.trim()
  const textFault = textFaultOf(text)
  const linkFault = link === '' ? null : linkFaultOf(link)
  if (textFault === null && linkFault === null) {
    return { ok: true, text, link: link === '' ? null : link }
  }
  const faults = { ...(textFault && { text: textFault }), ...(linkFault && { link: linkFault }) }
  return { ok: false, faults }
}

export const HIDDEN_CHARACTERS =
  'The text has invisible control characters, which can make it read differently. Please remove them: we never edit a reply.'

function textFaultOf(text: string): string | null {
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(text)) return 'Please write your reply.'
  const length = replyLength(text)
  if (length > LONGEST_REPLY) {
    return `Please use at most 1,000 characters; these are ${showCount(length)}.`
  }
  if (text.split('\n').length > MOST_LINES) {
    return `Please use at most ${String(MOST_LINES)} lines.`
  }
  if (onlyText(text) !== text || /[\t\r\p{Bidi_Control}]/u.test(text)) return HIDDEN_CHARACTERS
  if (holdsSecretKey(text)) {
    return 'This has a secret key (nsec) in it. Never share it: anyone who has it can post as you.'
  }
  if (/https?:\/\/|\bwww\./i.test(text)) {
    return 'Please put the link into its own field: a reply has one link.'
  }
  return null
}

function linkFaultOf(link: string): string | null {
  if (link.length > LONGEST_LINK) {
    return `Please use a link of at most ${String(LONGEST_LINK)} characters.`
  }
  if (/\s/.test(link)) return 'Please give one link only.'
  if (holdsSecretKey(link)) {
    return 'This has a secret key (nsec) in it. Never share it: anyone who has it can post as you.'
  }
  return /^https:\/\//i.test(link) &&
    !/[\p{Cc}\p{Bidi_Control}]/u.test(link) &&
    readSourceAddress(link)
    ? null
    : 'Please give a link that starts with https:// and leads to a public site.'
}

/**
 * Nostr kind of a signed reply, our own and ephemeral: relays don't store it, clients don't show it as a post, and
 * unlike kinds 22242 and 27235 it cannot pass for a sign-in.
 */
export const REPLY_EVENT_KIND = 26_613

export type ReplyDraft = Pick<SignedEvent, 'kind' | 'created_at' | 'tags' | 'content'>

type Signed = {
  readonly url: string
  readonly challenge: string
  readonly text: string
  readonly link: string | null
}

/** @param at seconds since 1970 */
export function replyDraft({ url, challenge, text, link }: Signed, at: number): ReplyDraft {
  return {
    kind: REPLY_EVENT_KIND,
    created_at: at,
    tags: [
      ['u', url],
      ['challenge', challenge],
      ...(link === null ? [] : [['r', link]]),
      ['alt', `A reply for ${url}`],
    ],
    content: text,
  }
}

export const WITHDRAWAL_TEXT = 'I withdraw this reply.'

/**
 * Why a signed event is not this reply; null if it is. Its signature is checked elsewhere.
 *
 * @param window earliest and latest time of signing, seconds since 1970
 */
export function replyEventFault(
  event: ReplyDraft,
  expected: Signed,
  window: { readonly from: number; readonly to: number },
): string | null {
  const values = (name: string) => event.tags.filter(([one]) => one === name).map((tag) => tag[1])
  const is = (name: string, expectedValues: readonly string[]) =>
    JSON.stringify(values(name)) === JSON.stringify(expectedValues)
  if (event.kind !== REPLY_EVENT_KIND) {
    return 'This is another kind of event. Please sign the one that this page shows.'
  }
  if (!is('u', [expected.url])) return 'This event was signed for another page.'
  if (!is('challenge', [expected.challenge])) {
    return 'This event has another challenge. Please sign the one that this page shows.'
  }
  if (event.content !== expected.text) return 'The text that was signed is not that of the reply.'
  if (!is('r', expected.link === null ? [] : [expected.link])) {
    return 'The link that was signed is not that of the reply.'
  }
  // Tags that were not checked must not be shown with the signature.
  if (JSON.stringify(event.tags) !== JSON.stringify(replyDraft(expected, 0).tags)) {
    return 'This event has other tags than the one that this page shows. Please sign that one as it is.'
  }
  if (event.created_at < window.from || event.created_at > window.to) {
    return 'This event says that it was signed at another time. Please check the clock of your device, and sign again.'
  }
  return null
}
