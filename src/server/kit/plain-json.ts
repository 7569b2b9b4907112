/**
 * A value as `jsonb` takes it: PostgreSQL refuses the character U+0000 and halves of surrogate pairs, which posts and
 * models may hold. Each is replaced by one that says so, so that places in a text stay.
 */
export function plainJson<T>(value: T): T {
  const plain: unknown = JSON.parse(
    JSON.stringify(value, (_, one: unknown) =>
      typeof one === 'string' ? one.toWellFormed().replaceAll('\0', '\uFFFD') : one,
    ),
  )
  // The same shape with other characters; what is stored holds no dates and no functions.
  return plain as T
}
