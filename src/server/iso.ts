/** A moment as calls tell it, in ISO 8601; the database writes it in a way of its own. */
export function iso(moment: string): string {
  return new Date(moment).toISOString()
}

export function isoOrNull(moment: string | null): string | null {
  return moment === null ? null : iso(moment)
}
