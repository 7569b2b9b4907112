import { InvalidArgumentError, Option, type Command } from 'commander'
import { type ScoresReply } from '#contracts/scores.ts'
import { dayOfTime, type Day, readDayInput } from '#domain/day.ts'
import { JUDGE_MODES, type JudgeMode } from '#domain/judging/verdict.ts'
import { inOneState, type Db } from '#server/kit/db.ts'
import { type CommandKit } from '#server/kit/kit.ts'
import { type Clock } from '#server/kit/time.ts'
import { computeReply } from './compute-scores.ts'
import { scoreInputs, asOfFault, requestOf } from './score-request.ts'
import { daysMade } from './scores.rows.ts'

type ScoreOptions = { readonly asOf?: Day; readonly mode: JudgeMode; readonly json?: boolean }

export function addScores(program: Command, { clock, withDb, print }: CommandKit): void {
  program
    .command('score')
    .description("everybody's calls against luck, on any day with what was known then")
    .option('--as-of <day>', 'such as 2026-11-20; default today (UTC)', dayArgument)
    .addOption(new Option('--mode <mode>').choices([...JUDGE_MODES]).default('touch'))
    .option('--json', 'print all figures as JSON, as in /api/v1/scores')
    .action((options: ScoreOptions) =>
      withDb(async (db) => {
        const reply = await scoresOf(db, clock, options)
        print(options.json ? JSON.stringify(reply, null, 2) : tableOf(reply))
      }),
    )
}

/** @throws Error with a sentence for a day in the future, or before the first claim */
export async function scoresOf(
  db: Db,
  clock: Clock,
  { asOf, mode }: { readonly asOf?: Day; readonly mode: JudgeMode },
): Promise<ScoresReply> {
  const today = dayOfTime(clock.now())
  const day = asOf ?? today
  const fault = asOfFault((await daysMade(db, today))?.first ?? null, day, today)
  if (fault !== null) throw new Error(fault)
  const request = await inOneState(db, async (tx) => {
    return requestOf(await scoreInputs(tx, day, today), { asOf: day, mode }, today)
  })
  return computeReply(request)
}

function dayArgument(text: string): Day {
  const day = readDayInput(text)
  if (day === null) throw new InvalidArgumentError('Please give a day such as 2026-11-20.')
  return day
}

function tableOf({ as_of, mode, finding, notes, people }: ScoresReply): string {
  const ranked = people.filter(({ band }) => band !== null)
  const longest = Math.max(4, ...ranked.map(({ name }) => name.length))
  const row = (name: string, ...cells: string[]): string =>
    [name.padEnd(longest), ...cells.map((cell) => cell.padStart(11))].join(' ')
  return [
    `${finding} (as of ${as_of}, by ${mode})`,
    ...notes,
    row('name', 'came true', 'luck', 'odds × luck', 'at least', 'can be told'),
    ...ranked.map(({ name, decided: { hits, calls, expected }, skill, band }) =>
      row(
        name,
        `${String(hits)} of ${String(calls)}`,
        expected.toFixed(1),
        skill ? skill.odds.toFixed(2) : '',
        skill ? Math.exp(skill.low).toFixed(2) : '',
        band ?? '',
      ),
    ),
    `${String(people.length - ranked.length)} more have fewer than five comparable calls.`,
  ].join('\n')
}
