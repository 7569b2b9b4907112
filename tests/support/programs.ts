import { join } from 'node:path'
import { openDatabase } from '#server/kit/db.ts'
import { ensurePrograms } from '../../bin/lib/build.mjs'
import { urlOf } from './test-app.ts'

/** An arbitrary lock id; the holder of the lock builds. */
const LOCK = 305

/**
 * The file of a program started by a test: the server's `main` and `cli`, and the owners in this folder. They are
 * bundled once for all tests, as starting from the sources takes five times as long.
 */
export async function programOf(name: string): Promise<string> {
  const admin = openDatabase({ connectionString: urlOf('postgres'), max: 1 }, () => {})
  try {
    await admin.pool.query('select pg_advisory_lock($1)', [LOCK])
    return join(await ensurePrograms(process.execPath, () => {}), `${name}.mjs`)
  } finally {
    await admin.close()
  }
}
