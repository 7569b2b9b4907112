import { useEffect, useState } from 'react'
import { fetchOptions, type PaymentOptions } from '#web/api/payments.ts'
import { canNotify, ContactBox } from './contact-box.tsx'

/** Asks later for the contact that was skipped; nothing where the site can send nothing. */
export function ContactOffer({ token }: { readonly token: string }) {
  const [options, setOptions] = useState<PaymentOptions | null>(null)
  const [isOpen, setOpen] = useState(true)
  useEffect(() => {
    const leave = new AbortController()
    // Without an answer nothing is offered; the receipt is complete without it.
    fetchOptions(leave.signal).then(setOptions, () => undefined)
    return () => leave.abort()
  }, [])
  if (!options || !canNotify(options) || !isOpen) return null
  return <ContactBox token={token} options={options} email="" onClose={() => setOpen(false)} />
}
