import { useState } from 'react'
import { MAX_SATS, readSats } from '#domain/money/invoice.ts'
import { showCount } from '#domain/price-text.ts'
import { type PaymentOptions } from '#web/api/payments.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import css from './payment-step.module.css'
import { satsText } from '#web/ui/sats-text.ts'
import { useStepFocus } from './use-step-focus.ts'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

/** How many sats to pay: a quick pick or any whole number within the limits, with its worth. */
export function AmountChoice({
  options,
  sats,
  isBusy,
  fault,
  back = 'Back to the form',
  note = 'One payment puts one submission into review. The sats count as its votes.',
  onChange,
  onChoose,
  onBack,
}: {
  readonly options: PaymentOptions
  /** As typed. */
  readonly sats: string
  readonly isBusy: boolean
  /** Why no invoice could be made. */
  readonly fault: string | null
  /** The name of the way back. */
  readonly back?: string
  /** What the sats do. */
  readonly note?: string
  readonly onChange: (sats: string) => void
  readonly onChoose: (sats: number) => void
  readonly onBack: () => void
}) {
  const heading = useStepFocus()
  const [pressed, setPressed] = useState(false)
  const limits = { min: options.min_sats, max: Math.min(options.max_sats, MAX_SATS) }
  const read = readSats(sats.replaceAll(/[,\s]/g, ''), limits)
  const wrong = typeof read === 'string' ? read : null
  return (
    <Stack
      as="form"
      gap={4}
      className={css.step}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setPressed(true)
        if (typeof read === 'number') onChoose(read)
      }}
    >
      <h3 ref={heading} tabIndex={-1} className={css.heading}>
        Choose an amount
      </h3>
      <div className={css.picks} role="group" aria-label="Quick picks">
        {options.quick_picks.map((pick) => (
          <Button
            key={pick}
            aria-label={satsText(pick)}
            aria-pressed={read === pick}
            onClick={() => onChange(String(pick))}
            disabled={isBusy}
          >
            {showCount(pick)}
          </Button>
        ))}
      </div>
      <Field
        label="Amount in sats"
        hint={wrong === null && typeof read === 'number' ? worthText(read, options) : undefined}
        fault={wrong !== null && (pressed || sats !== '') ? wrong : undefined}
      >
        {(control) => (
          <input
            {...control}
            name="amount"
            inputMode="numeric"
            autoComplete="off"
            value={sats}
            disabled={isBusy}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      {fault && (
        <Text tone="bad" role="alert">
          {fault}
        </Text>
      )}
      <Row gap={3}>
        <Button look="primary" type="submit" disabled={isBusy}>
          {isBusy ? 'Creating the invoice...' : 'Create invoice'}
        </Button>
        <Button onClick={onBack} disabled={isBusy}>
          {back}
        </Button>
      </Row>
      <Text tone="quiet" size="small">
        {note}
      </Text>
    </Stack>
  )
}

/** `about $0.45`, with two decimals (public-site.md §9); below a cent with the two digits that count: `about $0.0012`. */
export function worthText(sats: number, options: PaymentOptions): string {
  const usd = sats * options.usd_per_sat
  const digits = usd < 0.01 ? TWO_DIGITS : CENTS
  const text = `about $${usd.toLocaleString('en-US', digits)}`
  return options.usd_is_guess ? `${text}; no Bitcoin price is known at the moment` : text
}

const TWO_DIGITS = { maximumSignificantDigits: 2 } as const
const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const
