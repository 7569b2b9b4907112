import { useRef, type KeyboardEvent } from 'react'
import { showCount } from '#domain/price-text.ts'
import { Chip } from '#web/ui/chip.tsx'
import css from '#web/ui/tabs.module.css'
import { STATUS_TABS } from './list-view.ts'
import { Row } from '#web/ui/stack.tsx'

/** One choice: a status with how many there are, or a tool. */
export type Choice = { readonly key: string; readonly name: string; readonly count: number | null }

/** The choices of a dashboard; the counts are left out until they are known. */
export function choicesOf(
  counts: Readonly<Record<(typeof STATUS_TABS)[number], number>> | null,
): Choice[] {
  return STATUS_TABS.map((key) => ({
    key,
    name: NAMES[key],
    count: counts?.[key] ?? null,
  }))
}

const NAMES = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
  all: 'All',
} as const

/** Tabs; the arrow keys step through them. */
export function StatusTabs({
  choices,
  chosen,
  panelId,
  onChoose,
}: {
  readonly choices: readonly Choice[]
  readonly chosen: string
  readonly panelId: string
  readonly onChoose: (key: string) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  function step(event: KeyboardEvent): void {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (by === undefined) return
    const at = choices.findIndex(({ key }) => key === chosen)
    const next = (at + by + choices.length) % choices.length
    const choice = choices[next]
    if (!choice) return
    event.preventDefault()
    onChoose(choice.key)
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }
  return (
    <div
      ref={list}
      className={css.tabs}
      role="tablist"
      tabIndex={-1}
      aria-label="Submissions by status"
      onKeyDown={step}
    >
      {choices.map(({ key, name, count }) => (
        <button
          key={key}
          type="button"
          role="tab"
          className={css.tab}
          aria-selected={key === chosen}
          aria-controls={panelId}
          tabIndex={key === chosen ? 0 : -1}
          onClick={() => onChoose(key)}
        >
          {name} {count !== null && <span className={css.count}>{showCount(count)}</span>}
        </button>
      ))}
    </div>
  )
}

/** Buttons, all first (administrator-tools.md §2, "MSTR submissions dashboard"). */
export function StatusButtons({
  choices,
  chosen,
  onChoose,
}: {
  readonly choices: readonly Choice[]
  readonly chosen: string
  readonly onChoose: (key: string) => void
}) {
  const ordered = [
    ...choices.filter(({ key }) => key === 'all'),
    ...choices.filter(({ key }) => key !== 'all'),
  ]
  return (
    <Row role="group" aria-label="Submissions by status">
      {ordered.map(({ key, name, count }) => (
        <Chip key={key} pressed={key === chosen} count={count} onPress={() => onChoose(key)}>
          {name}
        </Chip>
      ))}
    </Row>
  )
}
