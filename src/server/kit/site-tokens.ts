import { readFact } from './facts.ts'
import { type Db } from './db.ts'
import { tokenMaker, type Tokens } from './tokens.ts'

/** Under what name the secret of the tokens is kept. */
export const SECRET_FACT = 'secret of tokens'

/** The tokens of a site for a command; null where the site has made none yet. */
export async function siteTokens(db: Db): Promise<Tokens | null> {
  const secret = await readFact(db, SECRET_FACT)
  return secret === null ? null : tokenMaker(secret)
}
