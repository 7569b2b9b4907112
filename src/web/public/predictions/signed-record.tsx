import { type RecordSummary } from '#contracts/signed-record.ts'
import { MODE_PRICES } from '#domain/judging/verdict.ts'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { Stack } from '#web/ui/primitives.tsx'
import { showDate } from '#web/ui/show.ts'
import css from './predictions.module.css'

export function SignedRecord({
  id,
  record,
}: {
  readonly id: string
  readonly record: RecordSummary
}) {
  const { touch, close } = record.verdict_ids
  const lines = [
    ['Signed by', record.npub],
    ['Entry', record.event_id],
    [`Verdict by ${MODE_PRICES.touch}`, touch],
    [`Verdict by ${MODE_PRICES.close}`, close],
    ['Address', record.naddr],
  ] as const
  return (
    <Stack as="section" className="measure">
      <h2>Signed record</h2>
      <p>
        This entry and its verdicts are signed with the key of this site, as events of Nostr. Anyone
        who keeps a copy can prove later what was shown here. Entry of {showDate(record.signed_at)}.
      </p>
      <Facts size="small" className={css.way}>
        {lines.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </Facts>
      <Fold title="How to check">
        <Stack as="ol" gap={2} className="bullets">
          <li>
            Take the <a href={`/api/v1/record/${encodeURIComponent(id)}`}>signed events</a>. Where
            they are published, relays have them, too, at the address above.
          </li>
          <li>
            Verify id and signature of each with any Nostr library, and compare its key with the one
            this site is known by.
          </li>
          <li>
            The content is JSON. The SHA-256 of its claim, written with sorted keys and without
            spaces, is the hash that the entry and each verdict carry in their tag “x”.
          </li>
          <li>
            A verdict names the event that it replaced in its tag “previous”; earlier ones are in
            the same list.
          </li>
        </Stack>
      </Fold>
    </Stack>
  )
}
