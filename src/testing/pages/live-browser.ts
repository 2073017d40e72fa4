import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Screen of a phone. */
export const phoneScreen = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

/** Waits until the page, or the part that `selector` finds, shows this text. */
export async function waitForText(
  page: Page,
  text: string | RegExp,
  selector = 'main',
  timeout = 10_000,
): Promise<void> {
  await expect.poll(() => page.locator(selector).first().innerText(), { timeout }).toMatch(text);
}

/** Presses the first visible button with that name. */
export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).filter({ visible: true }).first().click();

export async function sayName(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Your name').press('Enter');
}

/** The focused element: its id, else its label, else its tag. */
export const focusedElement = (page: Page): Promise<unknown> =>
  page.evaluate(
    '((one) => one.id || (one.matches("button, [role]") ? one.getAttribute("aria-label") ?? one.textContent : one.tagName))(document.activeElement)',
  );
