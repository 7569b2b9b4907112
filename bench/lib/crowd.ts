import { fork } from 'node:child_process'
import { join } from 'node:path'
import { within, withUs } from './limit.ts'
// As a whole: an import of single types would start the program.
import type { ClientsAnswer, ClientsOrder } from './live-clients.ts'

/** What the clients are asked for, by the name of their answer. */
const WAITED = {
  opened: 'the clients to connect',
  closed: 'the clients to leave',
  lost: 'word of the clients',
  expecting: 'the clients to listen',
  done: 'a price to reach every client',
}

/** Many clients of event streams, in a process of their own. */
export function crowd() {
  const child = withUs(fork(join(import.meta.dirname, 'live-clients.ts')))
  /** Sends the order, if any, and waits for the answer that has this field: its value. */
  const ask = (order: ClientsOrder | null, key: keyof typeof WAITED): Promise<number> => {
    const answer = new Promise<number>((done) => {
      const hear = (heard: ClientsAnswer): void => {
        const found = new Map<string, number | true>(Object.entries(heard)).get(key)
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
    /** How many have lost their connection. */
    lost: () => ask({ report: true }, 'lost'),
    /** Looks for a text from now on: `last` is when the last client has it, in ms of the clock that all processes share. */
    async expect(text: string): Promise<{ last: Promise<number> }> {
      await ask({ expect: text }, 'expecting')
      return { last: ask(null, 'done') }
    },
    stop: () => child.kill(),
  }
}
