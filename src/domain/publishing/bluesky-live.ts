import { TOP_LEVEL_DOMAINS } from '#domain/top-level-domains.ts'

const LINK = /(^|\s|\()(https?:\/\/\S+|([a-z][a-z0-9]*(?:\.[a-z0-9]+)+)\S*)/gim
// As the library has it: signs of no width end a tag, and a number alone is none.
const NO_WIDTH = '\\u00AD\\u2060\\u200A\\u200B\\u200C\\u200D\\u20e2'
const HASHTAG = new RegExp(
  `(^|\\s)[#＃]((?!\\ufe0f)[^\\s${NO_WIDTH}]*[^\\d\\s\\p{P}${NO_WIDTH}]+[^\\s${NO_WIDTH}]*)`,
  'gu',
)
const CASHTAG = /(^|\s|\()\$([A-Za-z][A-Za-z0-9]{0,4})(?=\s|$|[.,;:!?)"'\u2019])/gu
const LONGEST_TAG = 64

/** A part of a text, from its first UTF-16 unit to behind its last. */
type Part = { readonly start: number; readonly end: number }

/**
 * What is live in a post on Bluesky, for the preview: links, hashtags and cashtags as `@atproto/api` finds them when it is sent. A
 * test holds that they agree.
 */
export function liveOnBluesky(text: string): Part[] {
  return [...linksOf(text), ...hashtagsOf(text), ...cashtagsOf(text)].toSorted(
    (a, b) => a.start - b.start,
  )
}

function linksOf(text: string): Part[] {
  return [...text.matchAll(LINK)].flatMap((match) => {
    const [, before = '', found = '', domain] = match
    if (domain !== undefined && !isDomain(domain)) return []
    const start = match.index + before.length
    const bare = found.replace(/[.,;:!?]$/, '')
    const end = start + bare.length - (bare.endsWith(')') && !bare.includes('(') ? 1 : 0)
    return [{ start, end }]
  })
}

function isDomain(domain: string): boolean {
  return TOP_LEVEL_DOMAINS.has(domain.slice(domain.lastIndexOf('.') + 1))
}

function hashtagsOf(text: string): Part[] {
  return [...text.matchAll(HASHTAG)].flatMap((match) => {
    const [, before = '', found = ''] = match
    const tag = found.trim().replace(/\p{P}+$/u, '')
    const start = match.index + before.length
    return tag === '' || tag.length > LONGEST_TAG ? [] : [{ start, end: start + 1 + tag.length }]
  })
}

function cashtagsOf(text: string): Part[] {
  return [...text.matchAll(CASHTAG)].map((match) => {
    const [whole, before = ''] = match
    return { start: match.index + before.length, end: match.index + whole.length }
  })
}
