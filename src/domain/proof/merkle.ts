import { joined } from './bytes.ts'
import { type Step } from './ots.ts'
import { sha256 } from './sha256.ts'

/**
 * Begins what is hashed to a node. A leaf is the hash of an event, which begins with `{`: nothing is both, so that no node can be
 * passed off as an event. Leaves need no mark of their own, and the proof of an event is that of its file.
 */
const NODE = Uint8Array.of(1)

/**
 * The root of a Merkle tree: neighbours are hashed together, level by level; the last one of a level that has no neighbour goes up
 * as it is (doubling it would give two lists the same root).
 *
 * @param leaves 32 bytes each, at least one
 */
export function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  let level = leaves
  while (level.length > 1) level = above(level)
  const [root] = level
  if (!root) throw new Error('a tree without leaves')
  return root
}

/** How the leaf at a place becomes the root, as steps of a proof. */
export function merklePath(leaves: readonly Uint8Array[], place: number): Step[] {
  const steps: Step[] = []
  let [level, at] = [leaves, place]
  while (level.length > 1) {
    const isRight = at % 2 === 1
    const other = level[isRight ? at - 1 : at + 1]
    if (other) {
      steps.push(
        ...(isRight
          ? [{ kind: 'prepend', bytes: joined(NODE, other) } as const]
          : [{ kind: 'append', bytes: other } as const, { kind: 'prepend', bytes: NODE } as const]),
        { kind: 'sha256' },
      )
    }
    level = above(level)
    at = Math.floor(at / 2)
  }
  return steps
}

function above(level: readonly Uint8Array[]): Uint8Array[] {
  const next: Uint8Array[] = []
  for (let i = 0; i < level.length; i += 2) {
    const [left, right] = [level[i], level[i + 1]]
    if (left) next.push(right ? sha256(joined(NODE, left, right)) : left)
  }
  return next
}
