import { spawnSync } from 'node:child_process'

/**
 * The reference implementation of OpenTimestamps in Python, if installed (on Debian `python3-opentimestamps`),
 * which shares no code with ours.
 */
const PYTHON = '/usr/bin/python3'

const SCRIPT = `
import hashlib, io, json, sys
from bitcoin.core import CBlockHeader
from opentimestamps.core.notary import BitcoinBlockHeaderAttestation, PendingAttestation
from opentimestamps.core.op import OpAppend, OpPrepend, OpSHA256
from opentimestamps.core.serialize import StreamDeserializationContext, StreamSerializationContext
from opentimestamps.core.timestamp import DetachedTimestampFile, Timestamp
given = json.load(sys.stdin)
file = bytes.fromhex(given['file'])
def written(proof):
    out = io.BytesIO()
    proof.serialize(StreamSerializationContext(out))
    return out.getvalue().hex()
if given['do'] == 'read':
    proof = DetachedTimestampFile.deserialize(StreamDeserializationContext(io.BytesIO(bytes.fromhex(given['proof']))))
    assert given.get('digest') == proof.file_digest.hex() if file == b'' else hashlib.sha256(file).digest() == proof.file_digest
    found = []
    for message, one in proof.timestamp.all_attestations():
        if isinstance(one, BitcoinBlockHeaderAttestation):
            header = CBlockHeader.deserialize(bytes.fromhex(given['headers'][str(one.height)]))
            one.verify_against_blockheader(message, header)
            found.append(one.height)
        else:
            found.append(one.uri)
    print(json.dumps({'found': found, 'again': written(proof)}))
else:
    stamp = Timestamp(hashlib.sha256(file).digest())
    a = stamp.ops.add(OpAppend(b'ours')).ops.add(OpSHA256())
    b = a.ops.add(OpPrepend(b'theirs')).ops.add(OpSHA256()).ops.add(OpSHA256())
    a.attestations.add(PendingAttestation('https://calendar.example.org'))
    b.attestations.add(BitcoinBlockHeaderAttestation(358391))
    print(json.dumps({'proof': written(DetachedTimestampFile(OpSHA256(), stamp)), 'root': b.msg.hex()}))
`

export function hasReference(): boolean {
  return spawnSync(PYTHON, ['-c', 'import opentimestamps, bitcoin']).status === 0
}

/** Verifies a file and its proof with the reference implementation. @throws Error if it rejects them */
export function referenceReads(input: {
  readonly file: Uint8Array
  readonly proof: Uint8Array
  /** Hex, if the proof is about a digest instead of a file. */
  readonly digest?: string
  /** Hex, by height. */
  readonly headers?: Readonly<Record<string, string>>
}): { readonly found: readonly (number | string)[]; readonly again: string } {
  const { headers = {}, digest, file, proof } = input
  return run({ do: 'read', file: hex(file), proof: hex(proof), digest, headers })
}

/** A proof written by the reference, with its root. */
export function referenceWrites(file: Uint8Array): {
  readonly proof: string
  readonly root: string
} {
  return run({ do: 'write', file: hex(file) })
}

function run<Answer>(overrides: object): Answer {
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', SCRIPT], {
    input: JSON.stringify(overrides),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr.trim().split('\n').at(-1))
  return JSON.parse(stdout) as Answer
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
