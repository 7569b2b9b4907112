import { receiptPath } from '#contracts/receipt.ts'

/** A submission of this browser that has been paid. */
export type Paid = { readonly token: string; readonly what: string }

/** Says that another form than the one on screen has been paid. */
export function EarlierPaid({ token, what }: Paid) {
  return (
    <p role="status">
      Your earlier submission (<bdi>{what}</bdi>) has been paid.{' '}
      <a href={receiptPath(token)} target="_blank" rel="noreferrer">
        Open its receipt
      </a>
    </p>
  )
}
