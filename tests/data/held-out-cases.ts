import { type Case } from './case.ts'

/**
 * Posts in whole sentences as people write them, worded and labelled before the parser had seen them, and not to be taken
 * as its rules: a share of them may be read otherwise, which the test and the bench show.
 */
export const HELD_OUT_CASES: readonly Case[] = [
  [
    'I have looked at this cycle from every side and I keep coming back to one number: Bitcoin at $180,000 before the end of 2026.',
    'btc target 180000 2026-12-31',
  ],
  ['Still calling $140K for $BTC by 30 June. Nothing has changed.', 'btc target 140000 2026-06-30'],
  [
    'Bitcoin will trade above $1 million by the end of 2030. Save this.',
    'btc target 1000000 2030-12-31',
  ],
  [
    'My base case for #Bitcoin is a range between $85k and $110k until the end of September 2026.',
    'btc range 85000-110000 2026-09-30',
  ],
  ['$MSTR $600 by Christmas. You heard it here first.', 'mstr target 600 2026-12-25'],
  ['MSTR goes to $1,000 in 2027, no doubt in my mind', 'mstr target 1000 2027-12-31'],
  ['BTC won’t go below $60k this year, I am confident of that.', 'btc bottom 60000 2026-12-31'],
  [
    'I do not see Bitcoin going above $130,000 in 2026. Sell the rallies.',
    'btc top 130000 2026-12-31',
  ],
  [
    'We will see a six figure Bitcoin again: $100k within the next 90 days.',
    'btc target 100000 2026-06-08',
  ],
  ['Bitcoin to $250,000 in 2026 🚀', 'btc target 250000 2026-12-31'],
  ['By December 2026: $BTC = $200k. Screenshot this.', 'btc target 200000 2026-12-31'],
  ['$NAKA hits $5 by end of Q3 2026', 'naka target 5 2026-09-30'],
  [
    'Our price target for MicroStrategy (MSTR) is $450 by the end of the year.',
    'mstr target 450 2026-12-31',
  ],
  ['Bitcoin reaches 150k in 2026 and nobody will be surprised', 'btc target 150000 2026-12-31'],
  ['Long term I remain bullish: $500K Bitcoin by 2028.', 'btc target 500000 2028-12-31'],
  ['BTC to 90,000 dollars by the end of this month', 'btc target 90000 2026-03-31'],
  ['I expect Bitcoin to hit $120,000 by May 15, 2026.', 'btc target 120000 2026-05-15'],
  ['$120K Bitcoin by summer? I would not rule it out.', 'none'],
  ['Bitcoin closed at $71,200 yesterday, the highest since January.', 'none'],
  ['If you had bought Bitcoin at $16,000 in 2022 you would be smiling today.', 'none'],
  ['Just bought another 0.5 BTC at $70,300. See you in ten years.', 'none'],
  ['The average purchase price of their 700,000 BTC is about $66,000.', 'none'],
  ['Good morning. Number go up.', 'none'],
  ['Will Bitcoin reach $200k this year? Vote below.', 'none'],
  ['Support is at $68,500 and resistance at $74,000, nothing more to say today.', 'none'],
  ['Tesla to $500 by the end of 2026', 'none'],
  ['They said $100k by the end of 2021. It never came.', 'none'],
  ['Hash rate at an all-time high again, fees at 2 sat/vB. Bullish.', 'none'],
]
