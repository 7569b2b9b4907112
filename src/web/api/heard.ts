/** The version of the record that this page is at, by what came with it and by the last event of its stream. */
let version = ''

export function newestHeard(): string {
  return version
}

/** @param id of an event; empty for one that has none */
export function noteVersion(id: string): void {
  version = id || version
}
