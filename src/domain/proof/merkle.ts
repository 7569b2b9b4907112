import { joined } from './bytes.ts'
import { type Step } from './ots.ts'
import { sha256 } from '@noble/hashes/sha2.js'

/** Prefix of a hashed node; a leaf is the hash of an event, which begins with `{`. */
const NODE = Uint8Array.of(1)

export type MerkleTree = {
  readonly root: Uint8Array
  /** Proof steps from a leaf to the root. */
  readonly wayOf: (place: number) => Step[]
}

/** A last node without a sibling moves up unchanged. @param leaves 32 bytes each, at least one */
export function merkleTree(leaves: readonly Uint8Array[]): MerkleTree {
  const levels = [leaves]
  let top = leaves
  while (top.length > 1) {
    top = above(top)
    levels.push(top)
  }
  const [root] = top
  if (!root) throw new Error('a tree without leaves')
  return { root, wayOf: (place) => levels.flatMap((level, i) => stepAt(level, place >> i)) }
}

/** How a node is hashed with its sibling; empty without a sibling. */
function stepAt(level: readonly Uint8Array[], at: number): Step[] {
  const isRight = at % 2 === 1
  const other = level[isRight ? at - 1 : at + 1]
  if (!other) return []
  return isRight
    ? [{ kind: 'prepend', bytes: joined(NODE, other) }, { kind: 'sha256' }]
    : [{ kind: 'append', bytes: other }, { kind: 'prepend', bytes: NODE }, { kind: 'sha256' }]
}

function above(level: readonly Uint8Array[]): Uint8Array[] {
  const next: Uint8Array[] = []
  for (let i = 0; i < level.length; i += 2) {
    const [left, right] = [level[i], level[i + 1]]
    if (left) next.push(right ? sha256(joined(NODE, left, right)) : left)
  }
  return next
}
