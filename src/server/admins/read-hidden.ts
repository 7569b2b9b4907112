import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

let lines: AsyncIterator<string> | null = null

/** Asks for a line without showing what is typed; without a terminal it reads the next line of standard input. */
export async function readHidden(question: string): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) {
    lines ??= createInterface({ input: stdin, crlfDelay: Infinity })[Symbol.asyncIterator]()
    const line = await lines.next()
    if (line.done) throw new Error('A password was expected on standard input.')
    return line.value
  }
  stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: stdin, output: silent, terminal: true })
  try {
    return await new Promise<string>((answer, fail) => {
      reader.once('line', answer)
      reader.once('SIGINT', () => fail(new Error('Nothing was changed.')))
      reader.once('close', () => fail(new Error('Nothing was changed.')))
    })
  } finally {
    reader.close()
    stderr.write('\n')
  }
}
