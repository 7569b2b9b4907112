import { type Tokens } from '#server/kit/tokens.ts'
import { randomBytes } from 'node:crypto'

const MINUTE_MS = 60_000
/** How long a challenge can be signed, and a code posted. */
export const CHALLENGE_MS = 30 * MINUTE_MS
const TICKET_MS = 7 * 24 * 60 * MINUTE_MS

const FORM = /^(\d{10})-([0-9a-f]{32})-([\w-]{32})$/
/** Without letters and digits that look alike. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

export type ReplySeals = ReturnType<typeof replySeals>

/**
 * What is signed or posted for a reply. Nothing of it is stored before the reply comes: the seal says that this site made it, for
 * what and until when. That each counts once is ensured by the table of replies.
 */
export function replySeals(tokens: Tokens, now: () => number) {
  function make(what: string, forMs: number): string {
    const until = String(Math.floor((now() + forMs) / 1_000))
    const nonce = randomBytes(16).toString('hex')
    return `${until}-${nonce}-${tokens.replySeal(`${until} ${nonce} ${what}`)}`
  }

  /** @returns until when it counts; null where we did not make it for this */
  function read(given: string, what: string): { untilMs: number; isOver: boolean } | null {
    const [, until = '', nonce = '', seal] = FORM.exec(given) ?? []
    if (seal === undefined || seal !== tokens.replySeal(`${until} ${nonce} ${what}`)) return null
    const untilMs = Number(until) * 1_000
    return { untilMs, isOver: untilMs <= now() }
  }

  /** What a challenge is for: the page of a reply, or a reply that is withdrawn. */
  return {
    challenge: (what: string): string => make(`challenge ${what}`, CHALLENGE_MS),
    readChallenge: (given: string, what: string) => read(given, `challenge ${what}`),
    ticket: (what: string): string => make(`ticket ${what}`, TICKET_MS),
    readTicket: (given: string, what: string) => read(given, `ticket ${what}`),
    /** The code that belongs to a ticket: it cannot be made from another text. */
    code(ticket: string, what: string): string {
      const seal = tokens.replySeal(`code ${ticket} ${what}`)
      const letters = [...Buffer.from(tokens.hash(seal), 'hex').subarray(0, 8)]
        .map((byte) => LETTERS[byte % LETTERS.length] ?? '')
        .join('')
      return `proofofprice-${letters.slice(0, 4)}-${letters.slice(4)}`
    },
  }
}
