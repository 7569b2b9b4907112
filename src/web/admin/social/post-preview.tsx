import { SITE_NAME } from '#domain/site-name.ts'
import { type ReactNode } from 'react'
import { liveOnBluesky } from '#domain/publishing/bluesky-live.ts'
import { isBlank, measurePost } from '#domain/publishing/post-length.ts'
import { type SocialNetwork } from '#domain/publishing/social-post.ts'
import css from './post-preview.module.css'
import { textOwner, type Aim } from './composition.ts'
import { networkName } from './outcomes.ts'
import { type Composer } from './use-composer.ts'
import { Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** A post as people will see it there, near enough to judge line breaks, links and pictures. */
export function PostPreview({
  network,
  aim,
  address,
  composer: { composition, pictures },
}: {
  readonly network: SocialNetwork
  readonly aim: Aim
  /** The handle or the key. */
  readonly address: string
  readonly composer: Composer
}) {
  const shown = pictures.slots.filter(({ view }) => view !== '')
  const owner = textOwner(network, aim, composition)
  const text = composition[owner]
  return (
    <Stack as="figure" gap={2}>
      <Text as="figcaption" size="small" strong>
        Preview on {networkName(network)}
        {owner !== network && (
          <Text as="span" tone="quiet">
            {' '}
            · in a post to several: the text of {networkName(owner)}
          </Text>
        )}
      </Text>
      <div className={css.post} data-network={network}>
        <span className={css.face} aria-hidden="true">
          P
        </span>
        <Stack gap={1}>
          <Text clip={1}>
            <b>{SITE_NAME}</b>{' '}
            <Text as="span" tone="quiet">
              {address} · now
            </Text>
          </Text>
          {isBlank(text) ? (
            <Text tone="quiet">Nothing is written yet.</Text>
          ) : (
            <p className={css.text}>{marked(text, network)}</p>
          )}
          {shown.length > 0 && (
            <div className={css.pictures} data-count={shown.length}>
              {shown.map(({ key, view, alt }) => (
                <img key={key} src={view} alt={alt} />
              ))}
            </div>
          )}
        </Stack>
      </div>
    </Stack>
  )
}

/** Links, names and tags are highlighted as they will be. */
function marked(text: string, network: SocialNetwork): ReactNode[] {
  const pieces: ReactNode[] = []
  let at = 0
  for (const { start, end } of liveIn(text, network)) {
    pieces.push(text.slice(at, start))
    pieces.push(
      <span key={start} className={css.mark}>
        {text.slice(start, end)}
      </span>,
    )
    at = end
  }
  pieces.push(text.slice(at))
  return pieces
}

function liveIn(text: string, network: SocialNetwork): { start: number; end: number }[] {
  if (network === 'bluesky') return liveOnBluesky(text)
  const links = network === 'nostr' ? [ADDRESS] : measurePost(text).links.map(escaped)
  const found = new RegExp([...links, TAG].join('|'), 'giu')
  return [...text.matchAll(found)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }))
}

/** Clients of Nostr make links of addresses only. */
const ADDRESS = String.raw`https?://[^\s]*[^\s.,;:!?)\]]`
const TAG = '(?<=^|\\s)(?:[@#]\\w+|\\$[a-z]{1,6}\\b)'

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}
