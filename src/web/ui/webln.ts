/** A wallet that an extension offers to pages (https://webln.dev). */
type Webln = {
  readonly enable: () => Promise<unknown>
  readonly sendPayment: (bolt11: string) => Promise<unknown>
}

/** The wallet of the browser; null where the browser has no wallet. */
export function webln(): Webln | null {
  const offered: unknown = Reflect.get(window, 'webln')
  return isWebln(offered) ? offered : null
}

/** Asks the browser's wallet to pay, which asks its owner first. Throws when it does not pay. */
export async function payByWebln(bolt11: string): Promise<void> {
  const wallet = webln()
  if (!wallet) throw new Error('This browser has no wallet.')
  await wallet.enable()
  await wallet.sendPayment(bolt11)
}

function isWebln(value: unknown): value is Webln {
  return (
    typeof value === 'object' &&
    value !== null &&
    'enable' in value &&
    typeof value.enable === 'function' &&
    'sendPayment' in value &&
    typeof value.sendPayment === 'function'
  )
}
