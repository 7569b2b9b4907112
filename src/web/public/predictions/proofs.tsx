import { useEffect, useRef, useState } from 'react'
import { type z } from 'zod'
import { recordProofs } from '#contracts/signed-record.ts'
import { MODE_PRICES } from '#domain/judging/verdict.ts'
import {
  checkProof,
  OUTCOME_TEXTS,
  readHeaderInput,
  type CheckedProof,
} from '#domain/proof/check-proof.ts'
import { CallError, sentenceOf } from '#web/api/call.ts'
import { fetchFresh } from '#web/api/reach.ts'
import { Button } from '#web/ui/button.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Field, TextField } from '#web/ui/field.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { during } from '#web/ui/hooks.ts'
import { Loaded, useLoaded } from '#web/ui/loaded.tsx'
import { Callout, Failure, Note, Panel, Row, sends, Stack } from '#web/ui/primitives.tsx'
import { showDate } from '#web/ui/show.ts'
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

type ProofFile = { readonly name: string; readonly bytes: Uint8Array }
type Side = (typeof FILES)[number][0]
type Files = Readonly<Record<Side, ProofFile | null>>

/** More than a day with ten thousand events needs. */
const MOST_BYTES = 5_000_000
const FILES = [
  ['event', 'Event or day (.json)', '.json'],
  ['proof', 'Proof (.ots)', '.ots'],
] as const
const TONES = { proved: 'good', open: 'wait', wrong: 'bad' } as const
const MARKS = { good: 'Fits: ', bad: 'Does not fit: ', open: 'Not known yet: ' } as const

/** @param eventId event whose files are loaded from this site; null lets the reader choose files */
export function CheckProof({ eventId }: { readonly eventId: string | null }) {
  const [files, setFiles] = useState<Files>({ event: null, proof: null })
  const [headers, setHeaders] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [checked, setChecked] = useState<CheckedProof | null>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const { event, proof } = files
  const isLoading = eventId !== null && !event && !proof && fault === null
  const lines = headers.split('\n').filter((line) => line.trim() !== '')
  const read = lines.map(readHeaderInput)
  const isHeaderBad = read.includes(null)

  useEffect(() => {
    if (eventId === null) return
    return during(async (signal) => {
      const addresses = proofFiles(eventId)
      const name = `${eventId.slice(0, 8)}…`
      try {
        const [one, other] = await Promise.all([
          fetchFile(addresses.event, signal),
          fetchFile(addresses.proof, signal),
        ])
        setFiles({
          event: { name: `${name}.json`, bytes: one },
          proof: { name: `${name}.ots`, bytes: other },
        })
        setChecked(checkProof(one, other, []))
        // Scroll here, because the button is further up.
        title.current?.scrollIntoView()
        title.current?.focus({ preventScroll: true })
      } catch (error) {
        if (!signal.aborted) setFault(sentenceOf(error))
      }
    })
  }, [eventId])

  const take = async (side: Side, file: File | undefined): Promise<void> => {
    setChecked(null)
    setFault(null)
    setFiles((others) => ({ ...others, [side]: null }))
    if (!file) return
    if (file.size > MOST_BYTES) {
      setFault(`${file.name} is too large to be one of these files.`)
      return
    }
    try {
      const taken = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
      setFiles((others) => ({ ...others, [side]: taken }))
    } catch {
      setFault(`${file.name} could not be read. Please choose it again.`)
    }
  }

  const check = (): void => {
    const headersRead = read.filter((one) => one !== null)
    setChecked(event && proof && checkProof(event.bytes, proof.bytes, headersRead))
    setFault(event && proof ? null : 'Please choose an event, or a day, and its proof.')
  }

  return (
    <Stack
      as="form"
      gap={4}
      aria-label="Check a proof"
      {...sends(() => {
        if (!isHeaderBad && !isLoading) check()
      })}
    >
      <h3 ref={title} tabIndex={-1}>
        Check a proof
      </h3>
      <Note>
        The check runs in your browser, also without internet. It needs the two files, and the
        header of the block from a place that you trust, such as{' '}
        <code>bitcoin-cli getblockheader &lt;hash&gt; false</code> of your own node.
      </Note>
      {FILES.map(([side, label, accept]) => (
        <Field key={side} label={label} hint={files[side] && `Taken: ${files[side].name}`}>
          {(control) => (
            <input
              {...control}
              type="file"
              accept={accept}
              onChange={({ target }) => void take(side, target.files?.[0])}
            />
          )}
        </Field>
      ))}
      <TextField
        label="Block headers"
        name="headers"
        rows={3}
        optional
        value={headers}
        onChange={(text) => {
          setHeaders(text)
          setChecked(null)
        }}
        hint="160 hexadecimal digits each, one a line; the height and a colon before it if you like, such as 900000:0400…"
        fault={
          isHeaderBad
            ? 'A header has 160 hexadecimal digits (80 bytes), one header a line.'
            : undefined
        }
      />
      <div>
        <Button type="submit" look="primary" disabled={isHeaderBad || isLoading}>
          {isLoading ? 'Loading…' : 'Check'}
        </Button>
      </div>
      <Failure message={fault} />
      <div role="status">{checked && <Checked checked={checked} />}</div>
    </Stack>
  )
}

function Checked({ checked: { outcome, steps } }: { readonly checked: CheckedProof }) {
  return (
    <Callout as="div" tone={TONES[outcome]} gap={2}>
      <p>
        <strong>{OUTCOME_TEXTS[outcome]}</strong>
      </p>
      <ol className="bullets">
        {steps.map(({ is, title, text: sentence }, i) => (
          <li key={`${String(i)} ${title}`}>
            <strong>{title}.</strong> {MARKS[is]}
            {sentence}
          </li>
        ))}
      </ol>
    </Callout>
  )
}

function proofFiles(eventId: string) {
  return { event: `/proofs/events/${eventId}.json`, proof: `/proofs/events/${eventId}.ots` }
}

async function fetchFile(url: string, signal: AbortSignal): Promise<Uint8Array> {
  const answer = await fetchFresh(url, { signal }).catch(() => null)
  if (answer?.ok) return new Uint8Array(await answer.arrayBuffer())
  throw new CallError(`${url} could not be loaded.`, answer?.status ?? 0)
}
