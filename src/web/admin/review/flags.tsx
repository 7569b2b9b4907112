import { type ReviewFlag } from '#contracts/review.ts'
import { Row } from '#web/ui/stack.tsx'
import { Tag } from '#web/ui/tag.tsx'

/** A flag as a chip, and what it means. */
const FLAGS: Readonly<Record<ReviewFlag, readonly [name: string, meaning: string]>> = {
  link: ['Link in text', 'The typed text contains a web address.'],
  duplicate: ['Duplicate', 'The same one is on record or also waiting.'],
  'already-true': ['Already true', 'The price was already there when it was said.'],
  'already-broken': ['Already broken', 'The price was already beyond it when it was said.'],
  'window-over': ['Over', 'Its deadline has passed.'],
  'other-day': ['Date ≠ post', 'The source is not of the day it counts as made.'],
  'other-handle': ['Other’s handle', 'The handle and the name do not match.'],
  'new-person': ['New person', 'No one of this name is on record.'],
  'paid-late': ['Paid late', 'Paid after its invoice had expired.'],
  'paid-twice': ['Paid twice', 'It was paid twice.'],
  'paid-too-little': ['Paid too little', 'Fewer sats arrived than it asked for.'],
  'not-paid': ['Not paid', 'A visitor’s submission without a payment.'],
}
/** A new person is common and harmless in itself. */
const MILD: ReadonlySet<ReviewFlag> = new Set(['new-person'])

/** Why a submission needs a closer look, and who takes one now. */
export function Marks({
  flags = [],
  names,
}: {
  readonly flags: readonly ReviewFlag[] | undefined
  readonly names: readonly string[]
}) {
  if (flags.length + names.length === 0) return null
  return (
    <Row as="ul" gap={1} tight aria-label="Flags">
      {flags.map((flag) => (
        <li key={flag} title={FLAGS[flag][1]}>
          <Tag tone={MILD.has(flag) ? undefined : 'bad'}>{FLAGS[flag][0]}</Tag>
        </li>
      ))}
      {names.map((name) => (
        <li key={name}>
          <Tag tone="wait">{name} is here</Tag>
        </li>
      ))}
    </Row>
  )
}
