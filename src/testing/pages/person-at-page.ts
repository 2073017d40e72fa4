import type { Page } from 'playwright-core';
import { isJsonObject, renderPlain } from '../../lib/json.ts';
import type { PersonReply, PageTask } from '../carriers/phone-lab.ts';

/** The first question on the page that this person has taken, or else a free one. */
const firstFreeScript = `(() => {
  const cards = [...document.querySelectorAll('.question')];
  const isMine = (one) => one.querySelector('.answer').checkVisibility();
  const isFree = (one) =>
    [...one.querySelectorAll('button')].some((button) => button.textContent === 'I do it' && button.checkVisibility());
  const card = cards.find(isMine) ?? cards.find(isFree);
  if (card === undefined) return null;
  const facts = [...card.querySelectorAll('dl > div')].map((row) => [row.children[0].textContent, row.children[1].textContent]);
  return { id: card.id, description: card.querySelector('h3').textContent, facts: Object.fromEntries(facts) };
})()`;

async function findTask(page: Page): Promise<PageTask | undefined> {
  const found: unknown = await page.evaluate(firstFreeScript);
  if (!isJsonObject(found) || !isJsonObject(found['facts'])) return undefined;
  const facts = Object.entries(found['facts']).map(([label, text]) => [label, renderPlain(text)] as const);
  return {
    id: renderPlain(found['id']),
    description: renderPlain(found['description']),
    facts: Object.fromEntries(facts),
  };
}

/** Takes a question; false if another person was faster. */
async function takeQuestion(page: Page, id: string): Promise<boolean> {
  const card = page.locator(`#${id}`);
  try {
    if (await card.locator('.answer').isVisible()) return true;
    await card.getByRole('button', { name: 'I do it' }).click({ timeout: 1000 });
    await card.locator('.answer').waitFor({ timeout: 2000 });
    return true;
  } catch {
    return false;
  }
}

/** Takes questions, performs them and presses the button that `act` returns, until the run is over. Returns the questions in order. */
export async function workAtPage(page: Page, act: (task: PageTask) => Promise<PersonReply>, isOver: () => boolean) {
  const did: (PageTask & PersonReply)[] = [];
  while (!isOver()) {
    const task = await findTask(page);
    if (task === undefined) {
      await page.waitForTimeout(20);
    } else if (await takeQuestion(page, task.id)) {
      const reply = await act(task);
      const card = page.locator(`#${task.id}`);
      if (reply.note !== undefined) await card.locator('textarea').fill(reply.note);
      // A card to approve or deny says so on its button.
      const name = reply.button === 'Done' ? /^(?:Done|I (?:approved|denied) it|I pressed nothing)$/ : reply.button;
      await card.getByRole('button', { name, exact: true }).click();
      await card.waitFor({ state: 'detached' });
      did.push({ ...task, ...reply });
    }
  }
  return did;
}
