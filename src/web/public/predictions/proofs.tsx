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

type Proof = NonNullable<z.infer<typeof recordProofs.reply>['events'][number]['proof']>

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
            {events.map(({ event_id: event, mode, signed_at: at, proof }) => {
              const files = proofFiles(event)
              const name = mode === null ? 'Entry' : `Verdict by ${MODE_PRICES[mode]}`
              return (
                <Panel as="li" gap={2} key={event}>
                  <p>
                    <strong>{name}</strong>, signed {showDate(at)}.{' '}
                    {proof
                      ? proof.said
                      : 'Its proof begins when the day of its signature has ended (UTC).'}
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
                        <Button
                          size="small"
                          onClick={() => setChecked(({ times }) => ({ event, times: times + 1 }))}
                          aria-label={`Check it here: ${name}`}
                        >
                          Check it here
                        </Button>
                      </>
                    )}
                  </Row>
                  {proof && <MerklePath {...proof} />}
                </Panel>
              )
            })}
          </Stack>
        )}
      </Loaded>
      <CheckProof key={checked.times} eventId={checked.event || null} />
    </Stack>
  )
}

function MerklePath({ day, sha256, way, root }: Proof) {
  return (
    <Fold title={`Merkle path to the root of ${showDate(day)}`}>
      <Facts size="small" className={css.way}>
        <Fact name="SHA-256 of the event">{sha256}</Fact>
        {/* The sibling hash of each level, on the left (byte 01) or on the right. */}
        {way.map(
          ({ step, hex }) =>
            hex !== null &&
            hex !== '01' && (
              <Fact key={hex} name={step === 'append' ? 'Right neighbour' : 'Left neighbour'}>
                {step === 'append' ? hex : hex.slice(2)}
              </Fact>
            ),
        )}
        <Fact name="Root of the day">{root}</Fact>
      </Facts>
      <p>
        Each level is the SHA-256 of the byte 01, the left one and the right one.{' '}
        <a href={`/proofs/${day}.json`} download>
          All leaves of this day (JSON)
        </a>
      </p>
    </Fold>
  )
}
