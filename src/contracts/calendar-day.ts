import { readGivenDay } from '#domain/given-day.ts'
import { z } from 'zod'

/** A day in a request, as 2026-11-20; one that no price, prediction or entry could have is refused. */
export const CalendarDay = z.iso.date().refine((text) => readGivenDay(text) !== null, {
  error: 'Please give a day between 1900 and 2299, such as 2026-11-20.',
})
