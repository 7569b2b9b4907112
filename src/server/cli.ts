import { readFile, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { ASSET_KEYS, findAsset, type AssetKey } from '#domain/asset.ts'
import { plural, dayOfTime } from '#domain/day.ts'
import { priceSizeFault } from '#domain/judging/price-file.ts'
import { addAdmins } from './admins/admins.commands.ts'
import { addRecordEvents, addVerifyProof } from './attestation/attestation.commands.ts'
import { checkStored } from './composition/check-stored.ts'
import { holdsDatabase } from './database/embedded/place.ts'
import { type Table } from './database/export-format.ts'
import { backup, exportTables } from './database/export-tables.ts'
import { importTables } from './database/import-tables.ts'
import { openStore, type OpenStore } from './database/open.ts'
import { addBounced } from './following/bounced.commands.ts'
import { readJudged } from './judging/judging.service.ts'
import { type CommandKit } from './kit/kit.ts'
import { ConfigError, loadEnvFile, projectRoot, readConfig } from './kit/settings/config.ts'
import { fileText } from './kit/text.ts'
import { sentenceOf } from './kit/trouble.ts'
import { addVerify } from './open-data/verify/verify.commands.ts'
import { parsePosts, showParsed } from './posts/parse-posts.ts'
import {
  importService,
  prepareRecord,
  starterPrices,
  type ImportResult,
  type Imports,
} from './predictions/imports.service.ts'
import { verdictRows } from './predictions/wire.ts'
import { addPriceQuestions } from './prices/price-questions.commands.ts'
import { recordChanged } from './record/record-state.ts'
import { addScores } from './scores/scores.commands.ts'

const root = projectRoot()
const clock = { now: () => Date.now() }

/** Some rows of a file were omitted; the valid ones were imported. */
const EXIT_PARTLY = 2
const MOST_NAMED = 100

const log = {
  info: (text: string) => void process.stderr.write(`${text}\n`),
  warn: (text: string) => void process.stderr.write(`${text}\n`),
  error: (text: string) => void process.stderr.write(`${text}\n`),
}

/** When the reader closes the pipe, as `| head` does, the command still finishes its work silently. */
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Runs a command on the running site's database, or on one opened for the command. */
async function withStore(work: (store: OpenStore) => Promise<void>): Promise<void> {
  const config = readConfig(process.env, root)
  const store = await openStore({
    databaseUrl: config.databaseUrl,
    directUrl: config.directUrl,
    dataDir: config.dataDir,
    migrationsFolder: join(root, 'migrations'),
    checkStored,
    log,
    join: true,
  })
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

/** Like `withStore`, for commands that copy a site: otherwise a copy of a new, empty database would look valid. */
async function withExistingStore(work: (store: OpenStore) => Promise<void>): Promise<void> {
  const { databaseUrl, dataDir } = readConfig(process.env, root)
  if (!databaseUrl && !holdsDatabase(dataDir)) {
    throw new Error(
      `There is no database in ${dataDir}. Please set DATA_DIR or DATABASE_URL as for the site.`,
    )
  }
  await withStore(work)
}

/** Like `withStore`, with the record prepared as by the site: starter data in an empty database, and everything judged. */
async function withRecord(work: (imports: Imports, store: OpenStore) => Promise<void>) {
  const config = readConfig(process.env, root)
  await withStore(async (store) => {
    const imports = importService({ db: store.database.db, clock })
    await prepareRecord(imports, root, config.starterData, log)
    await work(imports, store)
  })
}

function assetArgument(text: string): AssetKey {
  const asset = findAsset(text)
  if (!asset) throw new InvalidArgumentError(`Assets are ${ASSET_KEYS.join(', ')}.`)
  return asset.key
}

/** Reads a file of daily prices, unless it is much too large. */
async function readPriceText(file: string): Promise<string> {
  const fault = priceSizeFault((await stat(file).catch(() => null))?.size ?? 0)
  if (fault !== null) throw new Error(`${file}: ${fault}.`)
  return readText(file)
}

async function readText(file: string): Promise<string> {
  return fileText(await readBytes(file))
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT') throw new Error(`There is no file ${file}.`)
    if (code === 'EISDIR') throw new Error(`${file} is a folder.`)
    throw new Error(`${file} cannot be read (${String(code)}).`)
  }
}

function report(file: string, result: ImportResult, what: string, json: boolean): void {
  if (!result.ok) {
    if (json) print(JSON.stringify(result))
    throw new Error(`${file}: ${result.broken}. Nothing was changed.`)
  }
  for (const { row, id, reason, file: source } of result.bad.slice(0, MOST_NAMED)) {
    const line = row === 0 ? '' : `:${String(row)}`
    log.warn(`${source ?? file}${line}${id === null ? '' : ` (${id})`}: ${reason}`)
  }
  const unnamed = result.bad.length - MOST_NAMED
  if (unnamed > 0) log.warn(`… and ${plural(unnamed, 'more row')}`)
  if (json) print(JSON.stringify(result))
  else {
    const { added, changed, same, verdicts, bad } = result
    const parts = [
      `${String(added)} ${what} added`,
      `${String(changed)} changed`,
      `${String(same)} as before`,
      `${String(bad.length)} left out`,
      `${String(verdicts)} new verdicts`,
    ]
    print(`${parts.join(', ')}.`)
    if (result.ranges) print(rangesText(result.ranges))
  }
  if (result.bad.length > 0) process.exitCode = EXIT_PARTLY
}

function rangesText(ranges: NonNullable<(ImportResult & { ok: true })['ranges']>): string {
  const { days, changed, changes, completed } = ranges
  return [
    `${plural(days, 'day')} with a range that was not known before; ${plural(changed, 'verdict')} changed by it, ${String(completed)} have better evidence.`,
    ...changes.map(({ id, mode, before, after }) => `  ${id}, by ${mode}: ${before} -> ${after}`),
    ...(changed > changes.length ? [`  and ${String(changed - changes.length)} more`] : []),
  ].join('\n')
}

type PriceOptions = { source?: string; believeJumps?: boolean; json?: boolean }

const program = new Command('npm run cli --')
  .description('Commands for the operator of the site, whether it is running or not.')
  .addHelpText(
    'after',
    '\nExit status: 0 all done, 1 nothing was changed, 2 some rows of a file were left out.',
  )
  .configureOutput({ outputError: (text, write) => write(text) })

program
  .command('import-prices')
  .description(
    'daily prices from a CSV file with date and close, and with open, high and low where known; USD, split-adjusted',
  )
  .argument('<asset>', ASSET_KEYS.join(', '), assetArgument)
  .argument(
    '<file.csv...>',
    'several files are judged together, so that sources can confirm each other',
  )
  .option('--source <name>', "source name of a single file's bars; default: the name of the file")
  .option('--believe-jumps', 'accept prices that are more than 40% from adjacent or recorded ones')
  .option('--json', 'print the result as JSON')
  .action(async (asset: AssetKey, files: string[], options: PriceOptions) => {
    if (options.source !== undefined && files.length > 1) {
      throw new Error('--source goes with a single file.')
    }
    const texts = await Promise.all(
      files.map(async (file) => ({
        text: await readPriceText(file),
        source: options.source ?? basename(file, extname(file)),
      })),
    )
    await withRecord(async (imports) => {
      const result = await imports.priceFiles(asset, texts, options.believeJumps ?? false)
      report(files.join(', '), result, 'bars', options.json ?? false)
    })
  })

program
  .command('import-predictions')
  .description('predictions from a JSON file in the format of data/starter/predictions.json')
  .argument('<file.json>')
  .option('--json', 'print the result as JSON')
  .action(async (file: string, options: { json?: boolean }) => {
    const text = await readText(file)
    await withRecord(async (imports) => {
      report(file, await imports.predictions(text), 'predictions', options.json ?? false)
    })
  })

program
  .command('judge')
  .description('judge everything again and list current verdicts')
  .option('--asset <asset>', 'only this asset', assetArgument)
  .option('--json', 'print as JSON, with evidence')
  .action(async (options: { asset?: AssetKey; json?: boolean }) => {
    await withRecord(async (imports, store) => {
      const keys = options.asset ? [options.asset] : ASSET_KEYS
      const written = await imports.judge(keys)
      const today = dayOfTime(clock.now())
      const judged = await Promise.all(keys.map((key) => readJudged(store.database.db, key, today)))
      const rows = judged.flat().map(({ stored: { id, asset, expert }, verdicts }) => {
        return { id, asset_type: asset, expert_name: expert.name, ...verdictRows(verdicts) }
      })
      if (options.json) return print(JSON.stringify(rows, null, 2))
      for (const { id, touch, close } of rows) {
        const decided = touch.date ?? 'open'
        print(`${touch.outcome.padEnd(8)} ${close.outcome.padEnd(8)} ${decided.padEnd(11)} ${id}`)
      }
      log.info(
        `${String(rows.length)} predictions (intraday, by daily close), ${String(written)} new verdicts.`,
      )
    })
  })

/** For a command on the running site's database, or on one opened for it. */
const onStore: CommandKit = {
  clock,
  print,
  withDb: (work) => withStore(({ database }) => work(database.db)),
}
const onRecord: CommandKit = {
  ...onStore,
  withDb: (work) => withRecord((_, { database }) => work(database.db)),
}
const onExisting: CommandKit = {
  ...onStore,
  withDb: (work) => withExistingStore(({ database }) => work(database.db)),
}

addPriceQuestions(program, onStore, assetArgument)
addScores(program, onRecord)
addVerify(program, {
  clock,
  readText: readPriceText,
  starterFile: (asset) => starterPrices(root, asset),
  print,
  warn: log.warn,
})
addRecordEvents(program, { ...onRecord, log, settings: () => readConfig(process.env, root).nostr })
addVerifyProof(program, { readBytes, print })
addBounced(program, onExisting, process.stdin)
addAdmins(program, onExisting)

program
  .command('parse-posts')
  .description(
    'read predictions from posts by the text parser: a JSON list of {id, text, author_handle, date}',
  )
  .argument('<file.json>')
  .option('--json', 'print as JSON, with the words behind each field')
  .action(async (file: string, options: { json?: boolean }) => {
    const posts = await parsePosts(file, await readText(file))
    print(options.json ? JSON.stringify(posts, null, 2) : showParsed(posts))
  })

program
  .command('backup')
  .description('write all tables into one file, also while the site is running')
  .argument('<file>')
  .action(async (file: string) => {
    await withExistingStore(async ({ database }) => {
      const { tables, bytes } = await backup(database.pool, file)
      print(`${sizeOf(tables)} in ${file}, ${(bytes / 1e6).toFixed(1)} MB.`)
    })
  })

program
  .command('export')
  .description('write all tables into a new folder, one file per table')
  .argument('<folder>')
  .action(async (folder: string) => {
    await withExistingStore(async ({ database }) => {
      print(`${sizeOf(await exportTables(database.pool, folder))} in ${folder}.`)
    })
  })

program
  .command('restore')
  .alias('import')
  .description('fill an empty database from a backup or an exported folder')
  .argument('<file or folder>')
  .option('--replace', 'delete the existing content first')
  .action(async (path: string, options: { replace?: boolean }) => {
    await withStore(async ({ database }) => {
      const tables = await importTables(database.pool, path, options.replace ?? false)
      await recordChanged(database.db, { prices: true })
      print(`${sizeOf(tables)} are in.`)
    })
  })

function sizeOf(tables: readonly Table[]): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return `${String(rows)} rows of ${String(tables.length)} tables`
}

async function main(): Promise<void> {
  loadEnvFile(root)
  await program.parseAsync()
}

main().catch((error: unknown) => {
  log.error(sentenceOf(error))
  process.exitCode = error instanceof ConfigError ? 78 : 1
})
