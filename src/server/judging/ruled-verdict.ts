import { levelsOf } from '#domain/claim/claim.ts'
import { type Statement } from '#domain/claim/prediction.ts'
import { type Day } from '#domain/day.ts'
import { decisionOf, judge, referenceOf, windowOf } from '#domain/judging/judge.ts'
import { type Series } from '#domain/judging/series.ts'
import { RULE_VERSION, type JudgeMode, type Verdict } from '#domain/judging/verdict.ts'

/** What the statements of an asset are judged by at one moment. */
export type Bench = {
  readonly series: Series
  readonly today: Day
  /** The verdict whose evidence was read last: a page reads one part after the other. */
  recent: { readonly of: RuledVerdict; readonly whole: Verdict } | null
}

/**
 * A verdict of the rule as memory holds it: with what lists ask of thousands, and without the evidence, which would be
 * most of it. The same prices always give the same evidence, so it is found again when a page reads it.
 */
export class RuledVerdict implements Verdict {
  readonly outcome: Verdict['outcome']
  readonly mode: JudgeMode
  readonly reason: Verdict['reason']
  readonly day: Verdict['day']
  readonly direction: Verdict['direction']
  readonly #statement: Statement
  readonly #bench: Bench

  constructor(bench: Bench, statement: Statement, mode: JudgeMode) {
    const { series, today } = bench
    const { outcome, reason, day, direction } = decisionOf(series, statement, mode, today)
    this.outcome = outcome
    this.mode = mode
    this.reason = reason
    this.day = day
    this.direction = direction
    this.#statement = statement
    this.#bench = bench
  }

  get rule(): number {
    return RULE_VERSION
  }

  get level(): Verdict['level'] {
    return levelsOf(this.#statement.claim)
  }

  get window(): Verdict['window'] {
    return windowOf(this.#statement)
  }

  get reference(): Verdict['reference'] {
    return referenceOf(this.#bench.series, this.#statement.made)
  }

  get bar(): Verdict['bar'] {
    return this.toJSON().bar
  }

  get nearest(): Verdict['nearest'] {
    return this.toJSON().nearest
  }

  get unconfirmed(): Verdict['unconfirmed'] {
    return this.toJSON().unconfirmed
  }

  get closeOnly(): boolean {
    return this.toJSON().closeOnly
  }

  get someClosesOnly(): boolean {
    return this.toJSON().someClosesOnly
  }

  /** All of it, as a plain object. */
  toJSON(): Verdict {
    const { series, today, recent } = this.#bench
    if (recent?.of === this) return recent.whole
    const whole = judge(series, this.#statement, this.mode, today)
    this.#bench.recent = { of: this, whole }
    return whole
  }
}
