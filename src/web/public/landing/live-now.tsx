import { type ReactNode } from 'react'
import { type NowCall } from '#contracts/today.ts'
import { outcomeWord } from '#domain/judging/verdict.ts'
import { expertPath, predictionPath } from '#web/address/addresses.ts'
import { Stack, Text, Note } from '#web/ui/primitives.tsx'
import { VerdictSign } from '#web/ui/verdict-badge.tsx'
import css from './landing.module.css'

export function LandingSection({
  title,
  lead,
  children,
}: Record<'title' | 'lead' | 'children', ReactNode>) {
  return (
    <section className={css.section}>
      <Stack as="header">
        <Text as="h2" size="head">
          {title}
        </Text>
        <Text tone="quiet" className="measure">
          {lead}
        </Text>
      </Stack>
      {children}
    </section>
  )
}

export function Calls({
  title,
  calls,
}: {
  readonly title?: string
  readonly calls: readonly (NowCall & { readonly detail?: string | null })[]
}) {
  if (calls.length === 0) return null
  return (
    <Stack as={title === undefined ? 'div' : 'section'}>
      {title !== undefined && (
        <Text as="h3" size="lead">
          {title}
        </Text>
      )}
      <ul className="ruled">
        {calls.map((call) => (
          <li
            key={`${call.id} ${call.note} ${call.detail ?? ''}`}
            className={`${css.call} tap`}
            data-outcome={call.outcome}
          >
            <span className="toned" role="img" aria-label={outcomeWord(call.outcome)}>
              <VerdictSign outcome={call.outcome} />
            </span>
            <span>
              <a className="semibold plain" href={expertPath(call)}>
                <bdi>{call.name}</bdi>
              </a>{' '}
              <a className="muted plain" href={predictionPath(call)}>
                {call.text}
              </a>
              {call.detail && <Text size="small">{call.detail}</Text>}
            </span>
            <Note as="span" className="at-end">
              {call.note}
            </Note>
          </li>
        ))}
      </ul>
    </Stack>
  )
}
