import { day, isoDay } from '#domain/day.ts'
import { type AgreedBar } from '#domain/judging/bar.ts'
import { type z } from 'zod'
import { type judgedBars } from './judged-bars.ts'

type JudgedBar = z.infer<typeof judgedBars.reply>['bars'][number]

export function judgedBarRow(bar: AgreedBar): JudgedBar {
  const { day: of, open, high, low, close, source, loneHigh, loneLow, moving, unconfirmed } = bar
  return {
    date: isoDay(of),
    open,
    high,
    low,
    close,
    source,
    ...(loneHigh === null ? {} : { lone_high: loneHigh }),
    ...(loneLow === null ? {} : { lone_low: loneLow }),
    ...(moving && { moving }),
    ...(unconfirmed && { unconfirmed }),
  }
}

export function barOfJudgedRow(row: JudgedBar): AgreedBar {
  const { date, open, high, low, close, source, lone_high, lone_low, moving, unconfirmed } = row
  return {
    day: day(date),
    open,
    high,
    low,
    close,
    source,
    loneHigh: lone_high ?? null,
    loneLow: lone_low ?? null,
    ...(moving && { moving }),
    ...(unconfirmed && { unconfirmed }),
  }
}
