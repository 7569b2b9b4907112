import { Notice } from '#web/ui/notice.tsx'

/** Said where an address opens no receipt, or none any more. */
export function NoReceipt() {
  return (
    <Notice
      title="No receipt at this address"
      text="Its address may have been cut short: please open the full address. What is never paid is removed after 30 days, together with its receipt."
    />
  )
}
