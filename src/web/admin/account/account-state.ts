import { type Account } from '#contracts/accounts.ts'
import { showMoment } from '#web/ui/show-moment.ts'

/** Whether a person can sign in, in words. @param now ISO, by the clock of the server */
export function stateOf(
  { disabled_at: disabledAt, link_expires_at: until }: Account,
  now: string,
): { tone: 'quiet' | 'good' | 'wait' | 'bad'; text: string } {
  if (disabledAt !== null) return { tone: 'quiet', text: `disabled on ${showMoment(disabledAt)}` }
  if (until === null) return { tone: 'good', text: 'can sign in' }
  return Date.parse(until) > Date.parse(now)
    ? { tone: 'wait', text: `has to choose a password by ${showMoment(until)}` }
    : { tone: 'bad', text: 'the link for a password has expired' }
}
