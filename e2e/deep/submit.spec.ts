import { expectAccessible, expectNothingCutOff, PHONE, TABLET } from '../support/accessible.ts'
import { DIALOG, fill, openForm, send, TARGET } from '../support/submit-form.ts'
import { expect, NEXT_YEAR, test } from '../support/site.ts'

for (const viewport of [TABLET, PHONE]) {
  test(`a prediction is read from a post, submitted and paid at ${String(viewport.width)} px`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport)
    const dialog = await openForm(page)
    await dialog.getByRole('button', { name: 'Paste a post' }).click()
    const words = `Bitcoin hits $150k by the end of ${NEXT_YEAR}. ${'a'.repeat(500)}`
    await dialog.getByLabel('Text of the post').fill(words)
    await dialog.getByRole('button', { name: 'Read the post' }).click()
    await expect(dialog.getByText('The form is filled in.')).toBeVisible()
    const isCut = await dialog.evaluate((place) => place.scrollWidth > place.clientWidth)
    expect(isCut).toBe(false)
    await fill(dialog, { 'Expert name': `Ada at ${String(viewport.width)}` })
    await dialog.getByLabel('How exactly is it known?').selectOption('In a year')
    await dialog.getByLabel('When was it said?').fill('2024')
    await expect(dialog.getByText(/^Counts as said on 31\/12\/2024/)).toBeVisible()
    await expectAccessible(page, 'form', DIALOG)
    await send(dialog)
    await expectAccessible(page, 'amount', DIALOG)
    await dialog.getByRole('button', { name: 'Create invoice' }).click()
    await expect(dialog.getByText('Waiting for payment...')).toBeVisible()
    await expectAccessible(page, 'waiting', DIALOG)
    await expectNothingCutOff(page, 'waiting')
    await dialog.getByRole('button', { name: 'Pay with the demonstration wallet' }).click()
    const receipt = dialog.getByRole('link', { name: 'Open your receipt' })
    await page.goto((await receipt.getAttribute('href')) ?? '')
    await expect(page.getByText('2024 (counts as said on 31/12/2024)')).toBeVisible()
    await expectAccessible(page, 'receipt', { within: 'main' })
    await expectNothingCutOff(page, 'receipt')
  })
}

test('two tabs with the same draft share one invoice, its end and its payment', async ({
  page,
  context,
}) => {
  const first = await openForm(page)
  await fill(first, { ...TARGET, 'Expert name': 'Ada of two tabs' })
  await expect
    .poll(() => page.evaluate(() => JSON.stringify(localStorage)))
    .toContain('Ada of two tabs')
  const tab = await context.newPage()
  const second = await openForm(tab)
  await expect(second.getByLabel('Expert name')).toHaveValue('Ada of two tabs')
  for (const dialog of [first, second]) {
    await send(dialog)
    await expect(dialog.getByRole('heading', { name: 'Choose an amount' })).toBeVisible()
  }
  await first.getByRole('button', { name: 'Create invoice' }).click()
  const bolt11 = await first.getByText(/^lnbcrt/).textContent()
  await expect(second.getByText(/^lnbcrt/)).toHaveText(bolt11 ?? '')
  await first.getByRole('button', { name: 'Cancel' }).click()
  await expect(second.getByText(/was cancelled in another tab/)).toBeVisible()
  await second.getByRole('button', { name: 'Create invoice' }).click()
  const next = await second.getByText(/^lnbcrt/).textContent()
  expect(next).not.toBe(bolt11)
  await expect(first.getByText(/^lnbcrt/)).toHaveText(next ?? '')
  await first.getByRole('button', { name: 'Pay with the demonstration wallet' }).click()
  for (const dialog of [first, second]) {
    await expect(dialog.getByRole('heading', { name: 'Prediction submitted' })).toBeVisible()
  }
  // Submitting the same again gives a warning before it costs anything.
  await tab.close()
  const again = await openForm(page)
  await fill(again, { ...TARGET, 'Expert name': 'Ada of two tabs' })
  await send(again)
  await expect(again.getByRole('heading', { name: 'Submitted already' })).toBeVisible()
  await again.getByRole('button', { name: 'Submit it anyway' }).click()
  await expect(again.getByRole('button', { name: 'Create invoice' })).toBeVisible()
})
