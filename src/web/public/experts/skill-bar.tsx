import { type BoardRow } from '#contracts/board.ts'
import { showOdds } from '#domain/scoring/score-text.ts'
import css from './skill-bar.module.css'

const HEIGHT = 24

/** How many times the odds of luck, with the 90% interval, on a line whose middle is luck. */
export function SkillBar({
  skill,
  reach,
}: {
  readonly skill: NonNullable<BoardRow['skill']>
  /** Where the line ends at both sides of luck, as a logarithm of odds. */
  readonly reach: number
}) {
  const [low, mean, high] = [skill.low, skill.mean, skill.high].map((log) => placeOf(log / reach))
  return (
    <svg
      className={css.skill}
      height={HEIGHT}
      role="img"
      aria-label={`${showOdds(skill.mean)} times the odds of luck, 90% interval ${showOdds(skill.low)} to ${showOdds(skill.high)}`}
    >
      <line className={css.luck} x1="50%" x2="50%" y1="0" y2={HEIGHT} />
      <line className={css.interval} x1={low} x2={high} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <circle className={css.mean} cx={mean} cy={HEIGHT / 2} r="5" />
    </svg>
  )
}

/** @param place −1 at the left end, 0 at luck, 1 at the right end */
function placeOf(place: number): string {
  return `${(50 + 47 * place).toFixed(1)}%`
}
