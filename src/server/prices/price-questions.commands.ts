import { type Command, InvalidArgumentError } from 'commander'
import { type AssetKey } from '#domain/asset.ts'
import { showDay, type Day, readDayInput } from '#domain/day.ts'
import { type Db } from '#server/kit/db.ts'
import { type CommandKit } from '#server/kit/kit.ts'
import { type Clock } from '#server/kit/time.ts'
import { recordChanged } from '#server/record/record-state.ts'
import { answerQuestions, openQuestions } from './price-sources.rows.ts'
import { recordSplit } from './record-split.service.ts'
import { questionRow } from './status.service.ts'

/** Price jumps that await an administrator, as text or JSON. */
export async function showQuestions(db: Db, asJson: boolean): Promise<string> {
  const questions = await openQuestions(db)
  if (asJson) {
    return JSON.stringify(questions.map(questionRow), null, 2)
  }
  if (questions.length === 0) return 'No question is open.'
  return questions
    .map(questionRow)
    .map(({ asset, date, sources, before_date, before, after }) => {
      const [was, is] = [String(before), String(after)]
      return `${asset} ${date}: ${is} after ${was} on ${before_date} (${sources})`
    })
    .join('\n')
}

/**
 * Answers that the price really moved; the sources are accepted from the next fetch on.
 * @throws Error with a sentence without such an open question
 */
export async function answerReal(db: Db, asset: AssetKey, day: Day): Promise<string> {
  await db.transaction(async (tx) => {
    if (!(await answerQuestions(tx, asset, { from: day, to: day }, 'real'))) {
      throw new Error(`No question about ${asset} on ${showDay(day)} is open. Nothing was changed.`)
    }
    await recordChanged(tx, { prices: true })
  })
  return `The jump of ${asset} on ${showDay(day)} is real; its prices are used the next time they are read.`
}

/**
 * Answers that a split took place: converts earlier prices to the new units and judges everything again.
 * @param ratio how many units one became
 * @throws Error with a sentence when that split is already known
 */
export async function answerSplit(db: Db, clock: Clock, asset: AssetKey, day: Day, ratio: number) {
  const note = 'entered on the command line'
  if (!(await recordSplit({ db, clock }, asset, { day, ratio, note }))) {
    throw new Error(`A split of ${asset} on ${showDay(day)} is known. Nothing was changed.`)
  }
  return `One ${asset} became ${String(ratio)} on ${showDay(day)}; prices before it are in the new units.`
}

export function addPriceQuestions(
  program: Command,
  { clock, withDb, print }: CommandKit,
  assetArgument: (text: string) => AssetKey,
): void {
  program
    .command('price-questions')
    .description('list price jumps that await an answer')
    .option('--json', 'print them as JSON')
    .action((options: { json?: boolean }) =>
      withDb(async (db) => print(await showQuestions(db, options.json ?? false))),
    )
  program
    .command('price-real')
    .description('answer that the price really moved')
    .argument('<asset>', 'the asset', assetArgument)
    .argument('<day>', 'such as 2024-08-08', dayArgument)
    .action((asset: AssetKey, day: Day) =>
      withDb(async (db) => print(await answerReal(db, asset, day))),
    )
  program
    .command('price-split')
    .description('answer that a split took place; converts earlier prices to the new units')
    .argument('<asset>', 'the asset', assetArgument)
    .argument('<day>', 'first day in the new units, such as 2024-08-08', dayArgument)
    .argument('<ratio>', 'how many units one became, such as 10', ratioArgument)
    .action((asset: AssetKey, day: Day, ratio: number) =>
      withDb(async (db) => print(await answerSplit(db, clock, asset, day, ratio))),
    )
}

function dayArgument(text: string): Day {
  const day = readDayInput(text)
  if (day === null) throw new InvalidArgumentError('Expected a day such as 2024-08-08.')
  return day
}

function ratioArgument(text: string): number {
  const ratio = Number(text)
  if (!(ratio > 0 && ratio < 10_000 && ratio !== 1)) {
    throw new InvalidArgumentError('Expected a number above 0 other than 1, such as 10 or 0.1.')
  }
  return ratio
}
