import { addAdmin } from '#server/admins/admins.store.ts'
import { type Database } from '#server/kit/db.ts'
import { passwordHasher } from '#server/kit/passwords.ts'

const PASSWORD = 'a password of this bench'

/** Inserts `count` submissions of a few hundred people, half of them pending, each with its source. */
export async function fillSubmissions(pool: Database['pool'], count: number): Promise<void> {
  await pool.query(
    `insert into submissions (id, origin, status, asset, expert_name, twitter_handle, prediction_type, price_prediction,
       price_target, target_time, prediction_made, source_addresses, notes, submitter_email, created_at, paid_sats)
     select gen_random_uuid(), 'admin', (array['pending', 'pending', 'approved', 'rejected'])[1 + i % 4],
       case when i % 20 = 0 then 'mstr' else 'btc' end,
       (array['José', 'Tom', 'Jane', 'Ann', 'Élodie', 'Max', 'Kim', 'Lee'])[1 + i % 8] || ' '
         || (array['Doe', 'Smith', 'Müller', 'Lee', 'Young', 'Garcia', 'Brown'])[1 + i % 7] || ' ' || i % 500,
       '@user' || i % 500, 'target', '$' || 50000 + i, 50000 + i, date '2027-01-01' + i % 900,
       date '2026-01-01' + i % 300, 'https://x.com/user' || i % 500 || '/status/' || 1000000000 + i,
       repeat('Bitcoin will surely rise because of halving ' || i || ' and demand. ', 4),
       case when i % 5 = 0 then 'reader' || i || '@example.org' end,
       timestamptz '2026-01-01' + i * interval '7 minutes', (i * 37) % 5000
     from generate_series(1, $1::int) i`,
    [count],
  )
  await pool.query(
    `insert into sources (submission_id, position, kind, url) select id, 0, 'report', source_addresses from submissions`,
  )
  await pool.query('vacuum analyze submissions, sources')
}

export async function addBenchAdmin(db: Database['db']): Promise<void> {
  await addAdmin(db, {
    username: 'bench',
    role: 'administrator',
    passwordHash: await passwordHasher().hash(PASSWORD),
    fromEnvironment: false,
    createdAt: new Date().toISOString(),
  })
}

/** @returns the session cookie of {@link addBenchAdmin}'s administrator */
export async function signIn(origin: string): Promise<string> {
  const login = await fetch(`${origin}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'bench', password: PASSWORD }),
  })
  if (login.status !== 200) throw new Error(`sign-in failed: ${await login.text()}`)
  return login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

let address = 0

/** A header with a new client address for each request; for a site with TRUST_PROXY. */
export function fromElsewhere(): { 'x-forwarded-for': string } {
  address += 1
  return {
    'x-forwarded-for': `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`,
  }
}
