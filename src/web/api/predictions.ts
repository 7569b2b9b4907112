export { predictionOfRow, predictionsOfRows, verdictOfRow } from '#contracts/prediction-wire.ts'
