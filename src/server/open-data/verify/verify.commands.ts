import { basename } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { ASSETS, ASSET_KEYS, type AssetKey, findAsset } from '#domain/asset.ts'
import { plural, readDay } from '#domain/day.ts'
import { type Bar, agree } from '#domain/judging/bar.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { type Clock } from '#server/kit/time.ts'
import { readPriceFile } from '#server/predictions/import-files.ts'
import { checkScores } from './check-scores.ts'
import { type PricesByAsset, type Unchecked, checkVerdicts } from './check-verdicts.ts'
import {
  type Difference,
  type ReadTables,
  compareCsv,
  readSnapshot,
  readTables,
} from './read-snapshot.ts'

/** The snapshot differs from the recalculated values. */
const EXIT_DIFFERENT = 2
/** Maximum number of lines per kind; `--json` prints all. */
const MOST_LINES = 200

type PriceFile = { readonly asset: AssetKey; readonly file: string }
type VerifyOptions = { readonly prices: readonly PriceFile[]; readonly json?: boolean }

export function addVerify(
  program: Command,
  {
    clock,
    readText,
    starterFile,
    print,
    warn,
  }: {
    clock: Clock
    readText: (file: string) => Promise<string>
    /** The file of closes bundled for an asset; null without one. */
    starterFile: (asset: AssetKey) => string | null
    print: (text: string) => void
    warn: (text: string) => void
  },
): void {
  async function barsOf(asset: AssetKey, file: string): Promise<readonly Bar[]> {
    const read = readPriceFile(await readText(file), asset, basename(file), clock.now())
    if (!read.ok) throw new Error(`${file}: ${read.broken}.`)
    for (const { row, reason } of read.bad) warn(`${file}:${String(row)}: ${reason}`)
    return read.rows
  }

  async function pricesOf(files: readonly PriceFile[]): Promise<PricesToJudgeBy> {
    const found: { [Key in AssetKey]?: { bars: readonly Bar[]; from: string } } = {}
    for (const asset of ASSET_KEYS) {
      const own = files.find((one) => one.asset === asset)?.file
      const file = own ?? starterFile(asset)
      if (file === null) continue
      found[asset] = { bars: await barsOf(asset, file), from: own ?? 'the starter data' }
    }
    return found
  }

  program
    .command('verify')
    .description(
      'check a snapshot of /data offline: its files, each verdict by the rule, and its scores',
    )
    .argument('<archive or folder>')
    .option(
      '--prices <asset=file.csv>',
      'judge by these daily prices (as for import-prices; once per asset) instead of the bundled ones',
      priceFile,
      [],
    )
    .option('--json', 'print all findings as JSON')
    .addHelpText(
      'after',
      '\nExit status: 0 everything that could be checked agrees, 1 the snapshot is damaged or cannot be read, 2 something differs.',
    )
    .action(async (path: string, options: VerifyOptions) => {
      const found = await verifySnapshot(path, await pricesOf(options.prices))
      print(options.json ? JSON.stringify(found, null, 2) : textOf(found))
      if (found.differences.length > 0) process.exitCode = EXIT_DIFFERENT
    })
}

function priceFile(text: string, before: readonly PriceFile[]): PriceFile[] {
  const at = text.indexOf('=')
  const asset = findAsset(text.slice(0, Math.max(0, at)))
  if (!asset) {
    throw new InvalidArgumentError(
      `Expected a value such as btc=prices.csv; assets are ${ASSET_KEYS.join(', ')}.`,
    )
  }
  return [...before, { asset: asset.key, file: text.slice(at + 1) }]
}

function textOf(found: Verification): string {
  const { verdicts, agreeing, differences, unchecked } = found
  const different = new Set(
    differences
      .filter(({ kind }) => isOfVerdict(kind))
      .map(({ id, mode }) => `${id} ${mode ?? ''}`),
  ).size
  const open = unchecked.filter(({ id }) => id !== 'scores').length
  const others = differences.filter(({ kind }) => !isOfVerdict(kind)).length
  return [
    `Snapshot of ${found.day}, made ${found.made}, rule set ${String(found.rule)}.`,
    ...(found.sha256 === null ? [] : [`SHA-256 of the archive: ${found.sha256}`]),
    'All files are present and match their checksums.',
    `Prices: ${Object.entries(found.prices)
      .map(([asset, from]) => `${asset} ${from}`)
      .join(', ')}.`,
    `${plural(verdicts, 'verdict')} of ${plural(found.predictions, 'prediction')}: ${String(agreeing)} agree, ${String(different)} differ, ${String(open)} could not be checked.`,
    `Scores and files: ${others === 0 ? 'nothing differs' : plural(others, 'difference')}.`,
    ...(differences.length > 0
      ? ['', 'Differences:', ...lines(differences.map(differenceText))]
      : []),
    ...(unchecked.length > 0 ? ['', 'Not checked:', ...lines(uncheckedText(unchecked))] : []),
  ].join('\n')
}

function isOfVerdict(kind: Difference['kind']): boolean {
  return kind === 'verdict' || kind === 'evidence'
}

function lines(all: readonly string[]): string[] {
  const rest = all.length - MOST_LINES
  return [
    ...all.slice(0, MOST_LINES).map((line) => `  ${line}`),
    ...(rest > 0 ? [`  and ${String(rest)} more (--json has all)`] : []),
  ]
}

function differenceText({ id, mode, field, snapshot, ours, kind }: Difference): string {
  const by = mode === null ? '' : `, by ${mode}`
  return `${id}${by}, ${field}: the snapshot has ${snapshot}, recalculated ${ours} (${kind})`
}

function uncheckedText(all: readonly Unchecked[]): string[] {
  return [...Map.groupBy(all, ({ why }) => why)].map(([why, same]) => {
    const [first] = same
    const who = `${first?.id ?? ''}${first?.mode ? `, by ${first.mode}` : ''}`
    return same.length === 1
      ? `${who}: ${why}`
      : `${who} and ${String(same.length - 1)} more: ${why}`
  })
}

export type PricesToJudgeBy = Readonly<
  Partial<Record<AssetKey, { readonly bars: readonly Bar[]; readonly from: string }>>
>

export type Verification = {
  readonly day: string
  readonly made: string
  readonly rule: number
  readonly sha256: string | null
  readonly prices: Readonly<Record<string, string>>
  readonly predictions: number
  readonly verdicts: number
  /** Verdicts confirmed by the rule with these prices. */
  readonly agreeing: number
  readonly scores: number
  readonly differences: readonly Difference[]
  readonly unchecked: readonly Unchecked[]
}

/** Checks files, verdicts and scores of an archive or unpacked folder. @throws DamagedSnapshot */
export async function verifySnapshot(path: string, prices: PricesToJudgeBy): Promise<Verification> {
  const raw = await readSnapshot(path)
  const read = readTables(raw)
  const pricesByAsset = pricesThrough(read, prices)
  const verdicts = checkVerdicts(read, pricesByAsset)
  const scores = await checkScores(read, pricesByAsset)
  const { about, tables } = read
  const apart = new Set(
    [...verdicts.differences, ...verdicts.unchecked].map(({ id, mode }) => `${mode ?? ''} ${id}`),
  )
  return {
    day: about.as_of,
    made: about.made,
    rule: about.rule,
    sha256: raw.sha256,
    prices: Object.fromEntries(ASSET_KEYS.map((key) => [key, prices[key]?.from ?? 'none'])),
    predictions: tables.predictions.length,
    verdicts: tables.verdicts.length,
    agreeing: tables.verdicts.filter(({ mode, prediction_id: id }) => !apart.has(`${mode} ${id}`))
      .length,
    scores: tables.scores.length,
    differences: [...(await compareCsv(raw)), ...verdicts.differences, ...scores.differences],
    unchecked: [...verdicts.unchecked, ...scores.unchecked],
  }
}

function pricesThrough({ about }: ReadTables, prices: PricesToJudgeBy): PricesByAsset {
  return Object.fromEntries(
    ASSET_KEYS.flatMap((key) => {
      const through = readDay(about.prices_through[key] ?? '')
      const bars = prices[key]?.bars
      if (through === null || !bars) return []
      // The site did not know later bars yet.
      const known = bars.filter(({ day }) => day <= through).map((bar) => agree([bar]))
      return [[key, { series: seriesOf(ASSETS[key].calendar, known), through }]]
    }),
  )
}
