import { importService } from '#server/predictions/imports.service.ts'
import { manyEntries, walk } from '../tests/support/many.ts'
import { addBenchAdmin, fillSubmissions } from './lib/administration.ts'
import { startDatabase } from './lib/database.ts'
import { writeFileSync } from 'node:fs'
const n = Number(process.env['N'])
const database = await startDatabase()
const imports = importService({ db: database.db, clock: { now: Date.now } })
await imports.prices('btc', walk(), 'walk')
let t = performance.now()
await imports.predictions(JSON.stringify(manyEntries(n)))
console.log('import', (performance.now() - t) / 1000, process.memoryUsage().rss / 1e6)
await fillSubmissions(database.pool, 2000)
await addBenchAdmin(database.db)
await database.pool.query('analyze')
writeFileSync('/tmp/zz.url', database.url)
setInterval(() => {}, 1000)
