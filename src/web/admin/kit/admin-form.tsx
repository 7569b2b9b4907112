import { type ReactNode } from 'react'
import { type z } from 'zod'
import { adminCall } from '#web/api/admin-call.ts'
import { type Callable, type CallInput } from '#web/api/call.ts'
import { changedIn } from '#web/claim-form/values.ts'
import { Button } from '#web/ui/button.tsx'
import { DateField } from '#web/ui/date-field.tsx'
import { Choice, TextField, Tick, type FieldTexts } from '#web/ui/field.tsx'
import { Panel, Row, Stack, Text, Tiles, sends } from '#web/ui/primitives.tsx'
import { AdminTable, column } from './admin-table.tsx'
import { Refused, useDecision } from './use-decision.tsx'
import { useEdit } from './use-edit.ts'

/** Props of text inputs by what is typed. */
const INPUTS = {
  decimal: { inputMode: 'decimal' },
  code: { autoComplete: 'one-time-code' },
  email: { type: 'email' },
  url: { type: 'url' },
  password: { type: 'password', autoComplete: 'current-password' },
  'new-password': { type: 'password', autoComplete: 'new-password' },
} as const

type Value = string | boolean
type Values = Readonly<Record<string, Value>>

export type FormField = Omit<FieldTexts, 'fault'> & {
  readonly rows?: number
  readonly options?: readonly (readonly [string, string])[]
  readonly is?: 'day' | keyof typeof INPUTS
  readonly maxLength?: number
  readonly placeholder?: string
  readonly disabled?: boolean
}
type Fields<Fielded> = { readonly [Name in keyof Fielded]?: FormField | false }

/**
 * A form for one call. Each validation or server error is shown once, at its field or above the buttons. Untouched
 * fields follow the row; fields changed by someone else meanwhile are shown as Was / Theirs / Yours.
 */
export function AdminForm<Called extends Callable, const Initial extends Values>({
  label,
  route,
  params,
  start,
  fields,
  body,
  send,
  sending = 'Saving...',
  tone,
  columns = false,
  narrow = false,
  patienceMs,
  check,
  undo,
  onDone,
  onCancel,
  children,
}: {
  readonly label: string
  readonly route: Called
  readonly params?: CallInput<Called>['params']
  readonly start: Initial
  /** In display order; omitted fields are not shown. */
  readonly fields: Fields<Initial> | ((values: Initial) => Fields<Initial>)
  /** The values, unless given. */
  readonly body?: (values: Initial) => CallInput<Called>['body']
  readonly send: string
  readonly sending?: string
  readonly tone?: 'bad'
  readonly columns?: boolean
  readonly narrow?: boolean
  readonly patienceMs?: number
  /** Faults by field, beyond those of the contract. */
  readonly check?: (values: Initial) => Readonly<Record<string, string | null>>
  readonly undo?: (answer: z.infer<Called['reply']>) => Promise<unknown>
  readonly onDone?: ((answer: z.infer<Called['reply']>, values: Initial) => void) | undefined
  readonly onCancel?: (() => void) | undefined
  readonly children?: ReactNode
}) {
  const decision = useDecision()
  const { element, ...edit } = useEdit<Initial>(start)
  const { faults, changed } = edit
  const definitions = typeof fields === 'function' ? fields(edit.values) : fields
  const visible = Object.entries<FormField | false | undefined>(definitions).filter(
    (one): one is [string, FormField] => Boolean(one[1]),
  )
  const theirs = Object.keys(changedIn(edit.was, start))
  const contested = theirs.some((name) => name in changed) ? theirs : []
  const isAtField = visible.some(([name]) => name in faults)

  async function submit(): Promise<void> {
    const sent = body?.(edit.values) ?? edit.values
    const issues = route.body?.safeParse(sent).error?.issues ?? []
    const found = Object.entries({
      ...Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message])),
      ...check?.(edit.values),
    }).filter((one): one is [string, string] => one[1] !== null)
    if (found.length > 0) return edit.show(Object.fromEntries(found))
    const input = { params, body: sent, ...(patienceMs !== undefined && { patienceMs }) }
    await decision.run(() => edit.sending(() => adminCall(route, input as CallInput<Called>)), {
      undo,
      done: (answer) => {
        edit.drop()
        onDone?.(answer, edit.values)
      },
    })
  }

  const inputs = (
    <FormInputs
      fields={definitions}
      values={edit.values}
      faults={faults}
      onChange={(name, value) => edit.change({ [name]: value })}
    />
  )
  return (
    <Stack
      as="form"
      ref={element}
      className={narrow ? 'narrow' : undefined}
      aria-label={label}
      {...sends(() => void submit())}
    >
      {columns ? <Tiles gap={3}>{inputs}</Tiles> : inputs}
      {children}
      <Stale
        fields={contested.map((name) => ({
          name: visible.find(([field]) => field === name)?.[1].label ?? name,
          was: textOf(edit.was[name]),
          theirs: textOf(start[name]),
          yours: name in changed ? textOf(changed[name]) : 'not changed',
        }))}
        onTakeTheirs={edit.drop}
      />
      {!isAtField && <Refused decision={decision} />}
      <Row>
        <Button
          look={tone ? 'plain' : 'primary'}
          {...(tone && { tone })}
          type="submit"
          disabled={decision.isBusy}
        >
          {decision.isBusy ? sending : send}
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </Row>
    </Stack>
  )
}

function textOf(value: Value | undefined): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : (value ?? '')
}

/** Inputs in display order; omitted fields are not shown. */
export function FormInputs({
  fields,
  values,
  faults,
  onChange,
}: {
  readonly fields: Readonly<Record<string, FormField | false | undefined>>
  readonly values: Values
  readonly faults: Readonly<Record<string, string | undefined>>
  readonly onChange: (name: string, value: Value) => void
}) {
  return Object.entries(fields).map(
    ([name, field]) =>
      field && (
        <FormInput
          key={name}
          {...{ name, field }}
          value={values[name] ?? ''}
          fault={faults[name]}
          onChange={(value) => onChange(name, value)}
        />
      ),
  )
}

export function FormInput({
  name,
  field: { label, is, options, ...more },
  value,
  fault,
  onChange,
}: {
  readonly name: string
  readonly field: FormField
  readonly value: Value
  readonly fault: string | undefined
  readonly onChange: (value: Value) => void
}) {
  if (typeof value === 'boolean') {
    return <Tick label={label} checked={value} onChange={onChange} />
  }
  const common = { label, name, value, fault, onChange, ...more }
  if (options) return <Choice {...common} options={options} />
  if (is === 'day') return <DateField {...common} />
  return <TextField {...common} {...(is && INPUTS[is])} />
}

type StaleField = Readonly<Record<'name' | 'was' | 'theirs' | 'yours', string>>

/** Shows conflicting changes by another administrator; saving keeps `yours`. */
export function Stale({
  fields,
  onTakeTheirs,
}: {
  readonly fields: readonly StaleField[]
  readonly onTakeTheirs: () => void
}) {
  if (fields.length === 0) return null
  return (
    <Panel
      as="section"
      tone="wait"
      gap={2}
      size="small"
      role="alert"
      aria-label="Changed meanwhile"
    >
      <Text strong>Somebody else changed this while you were editing. Saving keeps yours.</Text>
      <AdminTable<StaleField>
        label="Changed meanwhile"
        rows={fields}
        idOf={({ name }) => name}
        columns={[
          column.title('Field', ({ name }) => name),
          column.text('Was', ({ was }) => was),
          column.text('Theirs', ({ theirs }) => theirs),
          column.text('Yours', ({ yours }) => yours),
        ]}
      />
      <Row>
        <Button onClick={onTakeTheirs}>Use their version</Button>
      </Row>
    </Panel>
  )
}
