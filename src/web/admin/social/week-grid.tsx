import { useRef, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react'
import { type SocialPost } from '#contracts/publishing.ts'
import { platformText } from '#domain/publishing/social-post.ts'
import { longMoment } from './moments.ts'
import { postView } from './outcomes.ts'
import { shortText } from './post-rows.tsx'
import { isMovable, timeOf, type Held, type useHeld } from './use-held.ts'
import { cellAt, DAYS, HOURS, momentIn, movedBy, placesOf } from './week.ts'
import css from './week-grid.module.css'

const ARROWS: Readonly<Record<string, { readonly days?: number; readonly hours?: number }>> = {
  ArrowLeft: { days: -1 },
  ArrowRight: { days: 1 },
  ArrowUp: { hours: -1 },
  ArrowDown: { hours: 1 },
}
/** A press that moves no further is a click. */
const DRAG_PX = 4

/** A week hour by hour, in which planned posts are dragged by mouse or moved by arrow keys. */
export function WeekGrid({
  week,
  posts,
  nowMs,
  holding,
  onSelect,
}: {
  readonly week: readonly number[]
  /** The one that is picked up is among them, at its new time. */
  readonly posts: readonly { readonly post: SocialPost; readonly ms: number }[]
  readonly nowMs: number
  readonly holding: ReturnType<typeof useHeld>
  /** A post that has gone out was chosen. */
  readonly onSelect: (post: SocialPost) => void
}) {
  const area = useRef<HTMLUListElement>(null)
  const drag = useDrag(week, area, holding)
  const { held } = holding
  const places = placesOf(
    week,
    posts.map(({ ms }) => ms),
  )
  const today = week.findIndex((start, n) => start <= nowMs && nowMs < (week[n + 1] ?? 0))

  function press(post: SocialPost): void {
    if (holding.isBusy) return
    if (held?.post.id === post.id) void holding.drop(held)
    else if (isMovable(post)) holding.pickUp(post)
    else onSelect(post)
  }

  function onKeyDown(event: KeyboardEvent, post: SocialPost): void {
    if (held?.post.id !== post.id) return
    const by = ARROWS[event.key]
    if (!by && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (by) {
      holding.moveTo(post, movedBy(held.ms, by))
      return
    }
    drag.cancel()
    holding.putBack()
  }

  return (
    <div className={css.week}>
      <div className={css.days} aria-hidden="true">
        {week.slice(0, DAYS).map((ms, n) => (
          <span key={ms} data-today={n === today || undefined}>
            {dayText(ms)}
          </span>
        ))}
      </div>
      <div className={css.hours} aria-hidden="true">
        {Array.from({ length: HOURS / 2 }, (_, n) => (
          <span key={n}>{String(n * 2).padStart(2, '0')}:00</span>
        ))}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- for fingers; keys do it on the post that is picked up */}
      <ul
        ref={area}
        className={css.area}
        onClick={(event) => {
          if (!held || holding.isBusy || event.target !== event.currentTarget) return
          const ms = momentBelow(event.currentTarget, week, event, held.post)
          holding.moveTo(held.post, ms)
        }}
        aria-label={`Posts of the week from ${longMoment(week[0] ?? 0).slice(0, -7)}`}
      >
        {posts.map(({ post, ms }, n) => {
          const place = places[n]
          if (!place) return null
          const { word, tone, sign } = postView(post)
          const isHeld = held?.post.id === post.id
          return (
            <li
              key={post.id}
              className={css.spot}
              style={{
                left: `${String(((place.day + place.lane / place.lanes) / DAYS) * 100)}%`,
                top: `${String((place.hour / HOURS) * 100)}%`,
                width: `${String(100 / DAYS / place.lanes)}%`,
              }}
            >
              <button
                type="button"
                className={css.post}
                data-tone={tone}
                data-held={isHeld || undefined}
                data-narrow={place.lanes > 1 || undefined}
                data-movable={isMovable(post) || undefined}
                aria-pressed={isMovable(post) ? isHeld : undefined}
                title={shortText(post)}
                onClick={() => {
                  if (!drag.justEnded()) press(post)
                }}
                onKeyDown={(event) => onKeyDown(event, post)}
                {...(isMovable(post) ? drag.handlers(post) : {})}
              >
                <span aria-hidden="true">{sign}</span>{' '}
                <span className="aside-voice">{dayText(ms)}</span> {timeText(ms)}{' '}
                <span className="aside-voice">
                  {word}, {platformText(post.networks)}:
                </span>{' '}
                <span className={place.lanes > 1 ? 'aside-voice' : undefined}>
                  {shortText(post)}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** Drags by mouse or pen; fingers scroll, and pick up by a tap. */
function useDrag(
  week: readonly number[],
  area: { readonly current: HTMLElement | null },
  { held, moveTo, drop, putBack }: ReturnType<typeof useHeld>,
) {
  const start = useRef<{ readonly x: number; readonly y: number; isMoving: boolean } | null>(null)
  const ended = useRef(false)

  function below(event: MouseEvent, post: SocialPost): Held | null {
    return area.current && { post, ms: momentBelow(area.current, week, event, post) }
  }

  return {
    cancel(): void {
      ended.current = start.current?.isMoving ?? false
      start.current = null
    },
    /** Whether a drag has ended with this very click. */
    justEnded(): boolean {
      const was = ended.current
      ended.current = false
      return was
    },
    handlers: (post: SocialPost) => ({
      onPointerDown(event: PointerEvent): void {
        ended.current = false
        if (event.pointerType === 'touch' || event.button !== 0) return
        start.current = { x: event.clientX, y: event.clientY, isMoving: false }
        event.currentTarget.setPointerCapture(event.pointerId)
      },
      onPointerMove(event: PointerEvent): void {
        const from = start.current
        if (!from) return
        const far = Math.hypot(event.clientX - from.x, event.clientY - from.y)
        if (!from.isMoving && far < DRAG_PX) return
        from.isMoving = true
        const next = below(event, post)
        if (next && next.ms !== held?.ms) moveTo(post, next.ms)
      },
      onPointerUp(event: PointerEvent): void {
        const from = start.current
        start.current = null
        if (!from?.isMoving) return
        ended.current = true
        // Put back by Escape meanwhile, it stays where it was.
        const next = held && below(event, post)
        if (!next) return
        if (next.ms <= Date.now()) putBack()
        void drop(next)
      },
      onPointerCancel(): void {
        start.current = null
        putBack()
      },
    }),
  }
}

/** When a post would go out in the hour below the mouse; it keeps its minutes. */
function momentBelow(
  area: HTMLElement,
  week: readonly number[],
  { clientX, clientY }: MouseEvent,
  post: SocialPost,
): number {
  const { left, top, width, height } = area.getBoundingClientRect()
  const { day, hour } = cellAt((clientX - left) / width, (clientY - top) / height)
  return momentIn(week, day, hour, timeOf(post))
}

/** `Mon 23/11` */
export function dayText(ms: number): string {
  const at = new Date(ms)
  const day = at.toLocaleDateString('en-GB', { weekday: 'short' })
  return `${day} ${at.toLocaleDateString('en-GB', { day: '2-digit', month: '2-digit' })}`
}

export function timeText(ms: number): string {
  return new Date(ms).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}
