import { table } from './table.ts'

/** What comes before the line that `bench/all.ts` reads aims from. */
export const AIMS_MARK = 'aims: '

/** An aim as a bench names it, with what it measured. */
export type Measured = readonly [
  aim: string,
  measured: number,
  is: 'at least' | 'at most',
  limit: number,
]

/** An aim and whether it was met; `measured` is null for a bench that failed. */
export type Aim = {
  readonly aim: string
  readonly measured: number | null
  readonly wanted: string
  readonly met: boolean
}

/** Prints which aims a bench met; `npm run bench` gathers those of all benches in one table. */
export function aims(rows: readonly Measured[]): void {
  const read = rows.map(([aim, measured, is, limit]): Aim => ({
    aim,
    measured,
    wanted: `${is} ${limit}`,
    // What is measured to three digits is compared to three.
    met: is === 'at least' ? measured >= limit * 0.995 : measured <= limit * 1.005,
  }))
  table('Aims', [['aim', 'measured', 'wanted', 'met'], ...read.map(aimRow)])
  if (process.env['BENCH_AIMS'] === 'on') console.log(AIMS_MARK + JSON.stringify(read))
}

export function aimRow({ aim, measured, wanted, met }: Aim): string[] {
  return [aim, measured === null ? '-' : short(measured), wanted, met ? 'yes' : 'NO']
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}
