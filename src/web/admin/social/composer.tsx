import { useEffect, useId, type ReactNode } from 'react'
import { showCount } from '#domain/price-text.ts'
import {
  ALT_TEXT_USD,
  BLUESKY_LIMIT,
  COMPOSER_LIMIT,
  graphemes,
  isBlank,
  measurePost,
} from '#domain/publishing/post-length.ts'
import {
  fieldOf,
  NETWORK_NAMES,
  NETWORKS_OF_POSTS,
  platformText,
  type SocialNetwork,
} from '#domain/publishing/social-post.ts'
import { SITE_NAME } from '#domain/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Tag } from '#web/ui/chip.tsx'
import { DateField } from '#web/ui/date-field.tsx'
import { Field, TextField, Tick } from '#web/ui/field.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { Panel, Row, Stack, Tiles, Callout, Text, sends, Quiet } from '#web/ui/primitives.tsx'
import {
  costText,
  hasContent,
  plannedMoment,
  obstacle,
  xCost,
  xWarnings,
  distanceText,
  isUnderWay,
  longMoment,
  ownZone,
  zoneText,
  textOwner,
} from './composition.ts'
import { useDesk } from './desk.ts'
import { ApprovalNote, OutcomeNote } from './outcome-note.tsx'
import { PictureStrip } from './picture-strip.tsx'
import { isUploading, viewOf } from './use-pictures.ts'
import kit from '#web/admin/kit/kit.module.css'
import css from './social.module.css'

/** A post for several networks with pictures, sent now or scheduled. */
export function PostForm() {
  const { composer, sent } = useDesk()
  const { editing } = composer.composition
  return (
    <>
      {editing && (
        <Panel role="status">
          <Row gap={4} justify="between">
            <p>
              <strong>
                Changing a {editing.state === 'draft' ? 'draft' : `${editing.state} post`}.
              </strong>{' '}
              Save it with a time, keep it as a draft, or post it now.
            </p>
            <Button onClick={composer.clear}>Stop editing</Button>
          </Row>
        </Panel>
      )}
      <Tiles gap={3} least="half">
        {NETWORKS_OF_POSTS.map((network) => (
          <NetworkPanel key={network} network={network} />
        ))}
      </Tiles>
      {sent && <ApprovalNote post={sent} />}
      <PictureStrip />
      <Fold title="Previews">
        <Tiles as="section" least="20rem" aria-label="Previews">
          {NETWORKS_OF_POSTS.map((network) => (
            <PostPreview key={network} network={network} />
          ))}
        </Tiles>
      </Fold>
      <Stack className={css.foot}>
        <PostActions />
        <Schedule />
      </Stack>
    </>
  )
}

/** One network: its state, text, button, and the last post's result. */
function NetworkPanel({ network }: { readonly network: SocialNetwork }) {
  const { composer, networks, readiness, sent, places } = useDesk()
  const [titleId, whyId] = [useId(), useId()]
  const { composition, work } = composer
  const name = NETWORK_NAMES[network]
  const text = composition[fieldOf(network)]
  const result = sent?.results.find((one) => one.network === network)
  const isSoon = sent?.state === 'scheduled' && isUnderWay(sent) && sent.networks.includes(network)
  // Weighted on X, in graphemes on Bluesky.
  const { weight, isLong } = measurePost(text)
  const length = network === 'bluesky' ? graphemes(text) : weight
  const limit = LIMITS[network] ?? readiness.limit
  const warnings = network === 'x' ? xWarnings(text) : []
  const fault = obstacle([network], composition, readiness)
  // An empty text is no fault before the first attempt to post, and a warning is said once.
  const isSaid = isBlank(text) || work === network || (fault !== null && warnings.includes(fault))
  const why = isSaid ? null : fault
  const { connection, isPartly, facts, recheck } = networks[network]
  const [tone, sign] = isPartly ? (['wait', '◐'] as const) : STATES[connection]
  return (
    <Panel
      as="section"
      gap={2}
      className={network === 'x' ? 'whole' : undefined}
      aria-labelledby={titleId}
    >
      <Row as="header" gap={3} justify="between" whole>
        <Text as="h2" size="lead" id={titleId}>
          {name}
        </Text>
        <span role="status">
          <Tag tone={tone}>
            <span aria-hidden="true">{sign}</span> {connection}
          </Tag>
        </span>
      </Row>
      <div className="muted">
        {facts.map((fact) => (
          <p key={fact}>{fact}</p>
        ))}
        {recheck && (
          <Button size="small" onClick={() => void recheck()}>
            Check again
          </Button>
        )}
      </div>
      <Field label={`Post on ${name}`} fault={composer.faults[network]}>
        {(control) => (
          <textarea
            {...control}
            ref={network === 'x' ? places.text : undefined}
            className={`${control.className ?? ''} ${css.text ?? ''}`}
            data-main={network === 'x' || undefined}
            placeholder={
              network === 'x'
                ? 'What happened, who said it, and when'
                : 'Leave empty to use the X text'
            }
            value={text}
            onChange={(event) => composer.change({ [fieldOf(network)]: event.target.value })}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              void composer.send([network], network, fault)
            }}
          />
        )}
      </Field>
      <Row as="p" justify="between" whole className="muted one-line">
        <Text as="span" {...(length > limit && { tone: 'bad', strong: true })}>
          {showCount(length)} / {showCount(limit)}
        </Text>
        {network === 'x' && isLong && (
          <span title="X accepts it from accounts with a subscription">
            <Tag tone="wait">Long tweet</Tag>
          </span>
        )}
      </Row>
      {warnings.length > 0 && (
        <Callout as="ul" tone="wait" gap={1}>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </Callout>
      )}
      <Row gap={3} fill>
        <Button
          disabled={fault !== null}
          aria-describedby={why === null ? undefined : whyId}
          onClick={() => void composer.send([network], network)}
        >
          {work === network ? 'Posting…' : `Post to ${name}`}
        </Button>
        {network === 'x' && !isBlank(text) && <Quiet>Costs {xCost(['x'], composition)}</Quiet>}
        {why !== null && <Quiet id={whyId}>{why}</Quiet>}
      </Row>
      {isSoon && <Text role="status">Posting to {name} in ten seconds…</Text>}
      {sent && result && <OutcomeNote post={sent} result={result} />}
    </Panel>
  )
}

/** Text limits; on X it depends on the screen. */
const LIMITS = { x: null, nostr: COMPOSER_LIMIT, bluesky: BLUESKY_LIMIT } as const

const STATES = {
  unknown: [undefined, '◌'],
  connected: ['good', '●'],
  error: ['bad', '✕'],
  'not set up': [undefined, '○'],
} as const

function PostActions() {
  const { aim, composer, readiness, sent, places } = useDesk()
  const { text } = places
  const { composition, faults, work } = composer
  const why = obstacle(aim, composition, readiness)
  const isEmpty = work !== null || !hasContent(composition)
  const fault = faults.all ?? faults.draft
  const isWorking = work !== null
  // The pressed button is disabled meanwhile, or gone with what it was about, so move the focus to the text.
  useEffect(() => {
    if (!isWorking && document.activeElement === document.body) {
      text.current?.focus({ preventScroll: true })
    }
  }, [isWorking, sent, text])
  return (
    <Stack gap={2}>
      <Row as="fieldset" gap={6}>
        <legend>Where</legend>
        {NETWORKS_OF_POSTS.map((network) => (
          <Tick
            key={network}
            label={NETWORK_NAMES[network]}
            checked={aim.includes(network)}
            onChange={(isOn) =>
              composer.change({
                networks: NETWORKS_OF_POSTS.filter((one) =>
                  one === network ? isOn : aim.includes(one),
                ),
              })
            }
          />
        ))}
      </Row>
      <Row fill>
        <Button
          look="primary"
          disabled={why !== null}
          onClick={() => void composer.send(aim, 'all')}
        >
          {work === 'all'
            ? 'Posting…'
            : aim.length < 2
              ? 'Post it'
              : `Post to ${platformText(aim)}`}
        </Button>
        <Button
          disabled={isEmpty || readiness.openPictures > 0}
          onClick={() => void composer.save('draft', aim)}
        >
          {work === 'draft' ? 'Keeping…' : 'Keep as draft'}
        </Button>
        <Button look="quiet" disabled={isEmpty} onClick={composer.clear}>
          Clear
        </Button>
      </Row>
      {why !== null && why !== obstacle(['x'], composition, readiness) && !isEmpty && (
        <Text tone="quiet">{why}</Text>
      )}
      {fault !== undefined && (
        <Text tone="bad" role="alert">
          {fault}
        </Text>
      )}
      <Text tone="quiet">
        {composition.editing === null && 'You have ten seconds to take it back. '}Costs{' '}
        {xCost(aim, composition)} on X, nothing elsewhere. Alternative texts cost{' '}
        {costText(ALT_TEXT_USD)} each.
      </Text>
    </Stack>
  )
}

function Schedule() {
  const { aim, composer, nowMs, readiness, places } = useDesk()
  const { day: dayRef } = places
  const { composition, pictures, work, faults } = composer
  const ms = plannedMoment(composition)
  const zone = ownZone()
  const [day = '', time = ''] = composition.when.split('T')
  const give = (nextDay: string, nextTime: string): void =>
    composer.change({ when: nextDay === '' && nextTime === '' ? '' : `${nextDay}T${nextTime}` })
  const fault = faultOfTime(ms, nowMs) ?? obstacle(aim, composition, readiness, true)
  const isOver = ms !== null && ms <= nowMs
  return (
    <Row
      as="form"
      gap={3}
      align="start"
      className={kit.entry}
      aria-label="Schedule"
      {...sends(() => void composer.save('schedule', aim, fault))}
    >
      <DateField
        label="Date"
        value={day}
        fault={faults.schedule ?? (isOver ? (fault ?? undefined) : undefined)}
        hint={
          ms === null
            ? `Your time zone: ${zoneText(zone, nowMs)}`
            : `${longMoment(ms)} (${zoneText(zone, ms)}), ${distanceText(ms, nowMs)}`
        }
        ref={dayRef}
        onChange={(next) => give(next, time)}
      />
      <TextField label="Time" type="time" value={time} onChange={(next) => give(day, next)} />
      <Button type="submit" disabled={work !== null || pictures.slots.some(isUploading)}>
        {work === 'schedule'
          ? 'Scheduling…'
          : composition.editing?.state === 'scheduled'
            ? 'Save with this time'
            : 'Schedule'}
      </Button>
    </Row>
  )
}

function faultOfTime(ms: number | null, nowMs: number): string | null {
  if (ms === null) return 'Please choose a date and a time.'
  return ms <= nowMs ? 'That time has passed. Please choose a later one.' : null
}

/** An approximate preview, good enough to check line breaks, links and pictures. */
function PostPreview({ network }: { readonly network: SocialNetwork }) {
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
