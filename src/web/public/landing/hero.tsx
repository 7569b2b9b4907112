import { type BoardTop } from '#contracts/board.ts'
import { type Exhibit } from '#contracts/page.ts'
import { type Day } from '#domain/day.ts'
import { still } from '#web/ui/still.tsx'
import { Exhibits } from './exhibits.tsx'
import css from './hero.module.css'

const StillWords = still(async () => (await import('./hero-words.tsx')).HeroWords)

export function Hero({
  exhibits,
  board,
  today,
}: {
  readonly exhibits: readonly Exhibit[]
  readonly board: BoardTop | null
  readonly today: Day
}) {
  return (
    <div className={css.hero}>
      <StillWords board={board} />
      <Exhibits exhibits={exhibits} today={today} />
    </div>
  )
}
