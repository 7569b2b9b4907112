import { useState } from 'react'
import { type z } from 'zod'
import { recordProofs } from '#contracts/signed-record.ts'
import { MODE_PRICES } from '#domain/judging/verdict.ts'
import { Button } from '#web/ui/button.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { Loaded, useLoaded } from '#web/ui/loaded.tsx'
import { Panel, Row, Stack } from '#web/ui/primitives.tsx'
import { showDate } from '#web/ui/show.ts'
import { CheckProof, proofFiles } from './check-proof.tsx'
import css from './predictions.module.css'

type Proved = z.infer<typeof recordProofs.reply>['events'][number]

export function Proofs({ id }: { readonly id: string }) {
  const proofs = useLoaded(recordProofs, { params: { id } })
  /** The event being checked; `times` increases so that the same event can be checked again. */
  const [checked, setChecked] = useState({ event: '', times: 0 })
  return (
    <Stack gap={4}>
      <p>
        At the end of each day (UTC) the complete events of that day, with their signatures, become
        one Merkle tree. Once calendars of OpenTimestamps have put its root into a block of Bitcoin,
        nobody can change an event of that day, or add one, without it being seen.
      </p>
      <Loaded query={proofs} loading="Loading the proofs" failed="The proofs could not be loaded.">
        {({ events }) => (
          <Stack as="ul" gap={3}>
            {events.map((one) => (
              <EventProof
                key={one.event_id}
                proved={one}
                onCheck={() =>
                  setChecked(({ times }) => ({ event: one.event_id, times: times + 1 }))
                }
              />
            ))}
          </Stack>
        )}
      </Loaded>
      <CheckProof key={checked.times} eventId={checked.event || null} />
    </Stack>
  )
}

function EventProof({
  proved: { event_id: event, mode, signed_at: at, proof },
  onCheck,
}: {
  readonly proved: Proved
  readonly onCheck: () => void
}) {
  const files = proofFiles(event)
  const name = mode === null ? 'Entry' : `Verdict by ${MODE_PRICES[mode]}`
  return (
    <Panel as="li" gap={2}>
      <p>
        <strong>{name}</strong>, signed {showDate(at)}.{' '}
        {proof ? proof.said : 'Its proof begins when the day of its signature has ended (UTC).'}
      </p>
      <Row gap={4}>
        <a href={files.event} download>
          Event (JSON)
        </a>
        {proof?.has_file && (
          <>
            <a href={files.proof} download>
              Proof (.ots)
            </a>
            <Button size="small" onClick={onCheck} aria-label={`Check it here: ${name}`}>
              Check it here
            </Button>
          </>
        )}
      </Row>
      {proof && (
        <Fold title={`Merkle path to the root of ${showDate(proof.day)}`}>
          <Facts size="small" className={css.way}>
            <Fact name="SHA-256 of the event">{proof.sha256}</Fact>
            {neighboursOf(proof.way).map(([side, hash]) => (
              <Fact key={hash} name={side}>
                {hash}
              </Fact>
            ))}
            <Fact name="Root of the day">{proof.root}</Fact>
          </Facts>
          <p>
            Each level is the SHA-256 of the byte 01, the left one and the right one.{' '}
            <a href={`/proofs/${proof.day}.json`} download>
              All leaves of this day (JSON)
            </a>
          </p>
        </Fold>
      )}
    </Panel>
  )
}

/** The sibling hash of each level, on the left (byte 01) or on the right. */
function neighboursOf(way: NonNullable<Proved['proof']>['way']): [string, string][] {
  return way.flatMap(({ step, hex }): [string, string][] => {
    if (hex === null || hex === '01') return []
    return [step === 'append' ? ['Right neighbour', hex] : ['Left neighbour', hex.slice(2)]]
  })
}
