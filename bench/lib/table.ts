/** Prints rows as a table; the first row is its header. */
export function table(title: string, rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  console.log(`\n${title}`)
  rows.forEach((row, n) => {
    const cells = widths.map((width, i) =>
      i === 0 ? (row[i] ?? '').padEnd(width) : (row[i] ?? '').padStart(width),
    )
    console.log(`  ${cells.join('  ')}`)
    if (n === 0) console.log(`  ${widths.map((width) => '-'.repeat(width)).join('  ')}`)
  })
}
