import { fork } from 'node:child_process'
import { join } from 'node:path'
import { within, withUs } from './limit.ts'
// Imports the module as a whole: importing single types would start the program.
import type { ClientsAnswer, ClientsOrder } from './live-clients.ts'

/** Descriptions of the expected replies, by field. */
const WAITED = {
  opened: 'the clients to connect',
  closed: 'the clients to leave',
  lost: 'a report of the clients',
  expecting: 'the clients to listen',
  done: 'a price to reach every client',
}

/** Many event stream clients in a process of their own. */
export function crowd() {
  const child = withUs(fork(join(import.meta.dirname, 'live-clients.ts')))
  /** Sends the order, if any, and returns this field of the matching reply. */
  const ask = (order: ClientsOrder | null, key: keyof typeof WAITED): Promise<number> => {
    const answer = new Promise<number>((done) => {
      const hear = (reply: ClientsAnswer): void => {
        const found = new Map<string, number | true>(Object.entries(reply)).get(key)
        if (found === undefined) return
        child.off('message', hear)
        done(Number(found))
      }
      child.on('message', hear)
      if (order) child.send(order)
    })
    return within(WAITED[key], answer)
  }
  return {
    join: (port: number, path: string, count: number) =>
      ask({ open: { port, path, count } }, 'opened'),
    leave: () => ask({ close: true }, 'closed'),
    /** The number of lost connections. */
    lost: () => ask({ report: true }, 'lost'),
    /** Waits for a text: `last` is when the last client has it, in ms of the shared clock. */
    async expect(text: string): Promise<{ last: Promise<number> }> {
      await ask({ expect: text }, 'expecting')
      return { last: ask(null, 'done') }
    },
    stop: () => child.kill(),
  }
}
