import { expectAccessible, expectNothingCutOff, PHONE, TABLET } from '../support/accessible.ts'
import { expect, NEXT_YEAR, test } from '../support/site.ts'
import { DIALOG, fill, openForm, send } from '../support/submit-form.ts'

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
    await fill(dialog, { 'Expert name': `Expert at ${String(viewport.width)}` })
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
