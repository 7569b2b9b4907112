import { table } from './table.ts'

/** Prefix of the line from which `bench/all.ts` reads aims. */
export const AIMS_MARK = 'aims: '

/** An aim with its measured value. */
export type Measured = readonly [
  aim: string,
  measured: number,
  is: 'at least' | 'at most',
  limit: number,
]

/** An aim and whether it was met; `measured` is null if the benchmark failed. */
export type Aim = {
  readonly aim: string
  readonly measured: number | null
  readonly target: string
  readonly met: boolean
}

/** Prints which aims were met; `npm run bench` gathers those of all benchmarks in one table. */
export function aims(rows: readonly Measured[]): void {
  const read = rows.map(([aim, measured, is, limit]): Aim => ({
    aim,
    measured,
    target: `${is} ${limit}`,
    // Measured values are compared to three digits.
    met: is === 'at least' ? measured >= limit * 0.995 : measured <= limit * 1.005,
  }))
  table('Aims', [['aim', 'measured', 'target', 'met'], ...read.map(aimRow)])
  if (process.env['BENCH_AIMS'] === 'on') console.log(AIMS_MARK + JSON.stringify(read))
}

export function aimRow({ aim, measured, target, met }: Aim): string[] {
  return [aim, measured === null ? '-' : short(measured), target, met ? 'yes' : 'NO']
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}
