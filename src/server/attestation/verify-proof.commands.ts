import {
  checkProof,
  OUTCOME_TEXTS,
  readGivenHeader,
  type GivenHeader,
} from '#domain/proof/check-proof.ts'
import { type Command } from 'commander'

/** Nothing is wrong, but no header proves anything. */
const EXIT_OPEN = 3
const MARKS = { good: 'ok  ', bad: 'BAD ', open: '?   ' } as const
const RAW_HEADER_BYTES = 80

/** Adds the check of a proof, which needs no site, no database and no internet. */
export function addVerifyProof(
  program: Command,
  {
    readBytes,
    print,
  }: { readBytes: (file: string) => Promise<Uint8Array>; print: (text: string) => void },
): void {
  program
    .command('verify-proof')
    .description(
      'check an event or a day of the signed record against its proof in Bitcoin (docs/signed-record.md), offline',
    )
    .argument('<event.json>', 'an event, or a day with its leaves')
    .argument('<proof.ots>')
    .option(
      '--header <hex or file...>',
      'headers of blocks: 160 hexadecimal digits each, or files with them or with the 80 bytes; <height>: before it says which',
    )
    .option('--test-chain', 'take headers with little work, which prove nothing on the main chain')
    .addHelpText(
      'after',
      '\nExit status: 0 proved by a header, 1 something does not fit, 3 nothing is wrong but no header proves it yet.',
    )
    .action(
      async (
        file: string,
        proof: string,
        { header = [], testChain = false }: { header?: string[]; testChain?: boolean },
      ) => {
        const headers = await Promise.all(header.map((given) => headerOf(given, readBytes)))
        const [event, ots] = [await readBytes(file), await readBytes(proof)]
        const { outcome, steps } = checkProof(event, ots, headers, testChain ? 0 : undefined)
        for (const { is, title, said } of steps) print(`${MARKS[is]}${title}: ${said}`)
        print(OUTCOME_TEXTS[outcome])
        if (outcome === 'wrong') process.exitCode = 1
        if (outcome === 'open') process.exitCode = EXIT_OPEN
      },
    )
}

async function headerOf(
  given: string,
  readBytes: (file: string) => Promise<Uint8Array>,
): Promise<GivenHeader> {
  const pasted = readGivenHeader(given)
  if (pasted) return pasted
  const [, height, file = given] = /^(\d{1,9}):(.+)$/.exec(given) ?? []
  const bytes = await readBytes(file)
  const said = height === undefined ? null : Number(height)
  if (bytes.length === RAW_HEADER_BYTES) return { height: said, bytes }
  const written = readGivenHeader(new TextDecoder().decode(bytes))
  if (written) return { height: written.height ?? said, bytes: written.bytes }
  throw new Error(`${file} holds no header: 80 bytes, or 160 hexadecimal digits.`)
}
