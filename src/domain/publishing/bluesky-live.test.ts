// What Bluesky’s own clients make live.
import { RichText } from '@atproto/api'
import { expect, it } from 'vitest'
import { liveOnBluesky } from './bluesky-live.ts'

/** What the library makes live, without mentions, which are taken out before a post is sent. */
function ofLibrary(text: string): string[] {
  const rich = new RichText({ text })
  rich.detectFacetsWithoutResolution()
  const bytes = Buffer.from(text)
  return (rich.facets ?? [])
    .filter(({ features }) => !features.some(({ $type }) => $type.endsWith('#mention')))
    .map(({ index }) => bytes.subarray(index.byteStart, index.byteEnd).toString())
}

it.each([
  'See https://example.org/a.',
  'See (https://example.org/a) and (https://example.org/a(b)).',
  '👨‍👩‍👧‍👦 https://example.org/ä?b=1 🇨🇭',
  // Not after a full-width colon, as X has it.
  '比特币：https://example.org/a #比特币',
  'שלום https://example.org/a #ביטקוין',
  'é (example.org) and é.example.org, example.notatld, Example.COM',
  'sub.example.co.uk/path?q=1#part! and example.org.',
  '$BTC and #Bitcoin, at the end https://example.org/x',
  '($MSTR) $TOOLONG $250k $BRK.B $a',
  '#1 #2024 #a1 ＃full #with-dash! #emoji🚀 # #️⃣',
  `#${'a'.repeat(64)} #${'a'.repeat(65)}`,
  'Said @alice.bsky.social and @bob on x.com',
  'a#b a$BTC xhttps://example.org',
  '',
])('the preview of Bluesky shows live what will be: %s', (text) => {
  const found = liveOnBluesky(text).map(({ start, end }) => text.slice(start, end))
  expect(found).toEqual(ofLibrary(text))
})
