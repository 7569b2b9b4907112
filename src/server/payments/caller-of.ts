import { IDEMPOTENCY_HEADER, IdempotencyKey } from '#contracts/payments.ts'
import { failure } from '#server/kit/failure.ts'
import { type Caller } from './order-payment.service.ts'

type Request = { readonly headers: Readonly<Record<string, unknown>>; readonly ip: string }

/** Who asks for an invoice. @throws AppError for an Idempotency-Key that is none */
export function callerOf({ headers, ip }: Request): Caller {
  return { idempotencyKey: idempotencyKeyOf(headers[IDEMPOTENCY_HEADER]), address: ip }
}

function idempotencyKeyOf(given: unknown): string | null {
  if (given === undefined) return null
  const key = IdempotencyKey.safeParse(given)
  if (!key.success) {
    throw failure('invalid', 'An Idempotency-Key has 16 to 200 letters, digits or signs of _.:-')
  }
  return key.data
}
