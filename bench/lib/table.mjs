/**
 * Prints rows as a table; the first row is its head.
 *
 * @param {string} title
 * @param {readonly (readonly string[])[]} rows
 */
export function table(title, rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => String(row[i]).length)))
  console.log(`\n${title}`)
  rows.forEach((row, n) => {
    const cells = row.map((cell, i) =>
      i === 0 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i]),
    )
    console.log(`  ${cells.join('  ')}`)
    if (n === 0) console.log(`  ${widths.map((width) => '-'.repeat(width)).join('  ')}`)
  })
}
