import { type ReactNode } from 'react'
import { isBlank, measurePost } from '#domain/publishing/post-length.ts'
import { NETWORK_NAMES, type SocialNetwork } from '#domain/publishing/social-post.ts'
import { SITE_NAME } from '#domain/site.ts'
import { Stack, Text, Row, Quiet } from '#web/ui/primitives.tsx'
import { fieldOf, textOwner } from './composition.ts'
import { useDesk } from './desk.ts'
import { viewOf } from './use-pictures.ts'
import css from './social.module.css'

/** An approximate preview, good enough to check line breaks, links and pictures. */
export function PostPreview({ network }: { readonly network: SocialNetwork }) {
  const { aim, composer, networks } = useDesk()
  const { composition, pictures } = composer
  const { address } = networks[network]
  const visible = pictures.slots.filter((slot) => viewOf(slot) !== '')
  const owner = textOwner(network, aim, composition)
  const text = composition[fieldOf(owner)]
  return (
    <Stack as="figure" gap={2}>
      <Text as="figcaption" size="small" strong>
        Preview on {NETWORK_NAMES[network]}
        {owner !== network && (
          <Quiet> · in a post to several: the text of {NETWORK_NAMES[owner]}</Quiet>
        )}
      </Text>
      <Row
        gap={3}
        align="start"
        whole
        className={`${css.preview} card inset`}
        data-network={network}
      >
        <span className={`${css.face} centred semibold`} aria-hidden="true">
          P
        </span>
        <Stack gap={1} className="grow">
          <Text clip={1}>
            <b>{SITE_NAME}</b> <Quiet>{address} · now</Quiet>
          </Text>
          {isBlank(text) ? (
            <Text tone="quiet">Nothing is written yet.</Text>
          ) : (
            <p className="measure as-written">{marked(text)}</p>
          )}
          {visible.length > 0 && (
            <div className={`${css.pictures} card clipped`} data-count={visible.length}>
              {visible.map((slot) => (
                <img key={slot.key} src={viewOf(slot)} alt={slot.alt} />
              ))}
            </div>
          )}
        </Stack>
      </Row>
    </Stack>
  )
}

/** Highlights links and tags approximately as the network does. */
function marked(text: string): ReactNode[] {
  const links = measurePost(text).links.map((link) => link.replaceAll(SPECIAL, String.raw`\$&`))
  const live = new RegExp(`(${[...links, TAG].join('|')})`, 'giu')
  return text.split(live).map((piece, at) =>
    at % 2 === 0 ? (
      piece
    ) : (
      <span key={at} className="toned" data-tone="wait">
        {piece}
      </span>
    ),
  )
}

const SPECIAL = /[\\^$.*+?()[\]{}|]/g
const TAG = '(?<=^|\\s)(?:[@#]\\w+|\\$[a-z]{1,6}\\b)'
