import type { Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { describeInChromium, openAt } from '../testing/pages/browser.ts';
import { focusedElement, phoneScreen, press, sayName, waitForText } from '../testing/pages/live-browser.ts';
import { buildQuestion, closeLive, openTestLive } from '../testing/pages/live-page.ts';

afterEach(closeLive);

const { signal } = new AbortController();
const card = (page: Page, id: string) => page.locator(`#question-${id}`);
const buttonOf = (page: Page, id: string, name: string) => card(page, id).getByRole('button', { name, exact: true });

/** Elements that overflow their card or the page. */
const overflowing = `[...document.querySelectorAll('.question, .live-head, .strip')].flatMap((box) => {
  const edges = box.getBoundingClientRect();
  return [...box.querySelectorAll('*')].filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    return one.checkVisibility() && (left < edges.left - 0.5 || right > edges.right + 0.5);
  }).map((one) => one.id || one.tagName + ': ' + one.textContent);
})`;

/** Buttons and fields that are covered while they have the focus. */
const covered = `[...document.querySelectorAll('main button, main textarea, main summary')].filter((one) => {
  if (!one.checkVisibility()) return false;
  one.focus();
  const { left, top, width, height } = one.getBoundingClientRect();
  const there = [top + 2, top + height / 2, top + height - 2].map((y) => document.elementFromPoint(left + width / 2, y));
  return there[0] === null || there.some((other) => other !== null && !one.contains(other) && !other.contains(one));
}).map((one) => one.id || one.textContent)`;

describeInChromium('the cards of questions', () => {
  it.each([320, 360, 390])('fit a phone of %i px, with every button for a thumb', async (width) => {
    const live = await openTestLive();
    const { operatorWith } = live;
    for (const [at, kind] of (['do', 'holds', 'tell'] as const).entries())
      void operatorWith(undefined).ask(
        buildQuestion({ kind, phone: String(at), expires: Date.now() + 90_000 }),
        signal,
      );
    const { page } = await openAt(live.url, { ...phoneScreen, viewport: { width, height: 740 } });
    await sayName(page, 'Ann');
    for (const id of ['q1', 'q2', 'q3']) {
      await buttonOf(page, id, 'I do it').tap();
      await waitForText(page, 'You have it.', `#question-${id}`);
    }
    expect(await page.evaluate(overflowing)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const low = `[...document.querySelectorAll('button, #name')].filter((one) => one.checkVisibility() && one.offsetHeight < 44).map((one) => one.textContent)`;
    expect(await page.evaluate(low)).toEqual([]);
  });

  it('say until when an answer is taken, and apart from that when the request expires', async () => {
    const live = await openTestLive();
    const ask = live.operatorWith(undefined).ask;
    const answer = ask(buildQuestion({ timeout: 60_000, expires: Date.now() + 7000 }), signal);
    const { page } = await openAt(live.url);
    await waitForText(page, /The request expires at \d\d:\d\d:\d\d, in 0:0\d: after that it is too late on the phone/);
    await waitForText(page, /The request expired at \d\d:\d\d:\d\d: answer what the phone still lets you do/);
    await waitForText(page, /0:5\d left, until/, '#question-q1 .left');
    await press(page, 'I do it');
    await press(page, 'Cannot');
    expect(await answer).toEqual({ word: 'cannot' });
  });

  it('keep what somebody wrote for when they take it again', async () => {
    const live = await openTestLive();
    const [ann, ben] = [await openAt(live.url), await openAt(live.url, phoneScreen)];
    await sayName(ben.page, 'Ben');
    const answer = live.operatorWith(undefined).ask(buildQuestion({ kind: 'tell' }), signal);
    await buttonOf(ben.page, 'q1', 'I do it').tap();
    await waitForText(ann.page, 'Ben has it.', '#question-q1');
    expect(await card(ann.page, 'q1').getByRole('button').filter({ visible: true }).count()).toBe(0);
    await ben.page.getByLabel('What you see').fill('half a sen');
    await press(ben.page, 'Give it back');
    await press(ann.page, 'I do it');
    await waitForText(ben.page, 'somebody has it.', '#question-q1');
    await press(ann.page, 'Give it back');
    await buttonOf(ben.page, 'q1', 'I do it').tap();
    await waitForText(ben.page, 'You have it.', '#question-q1');
    expect(await ben.page.getByLabel('What you see').inputValue()).toBe('half a sen');
    await press(ben.page, 'Send');
    expect(await answer).toEqual({ word: 'done', note: 'half a sen', by: 'Ben' });
  });

  it('keep the focus of who works with the keyboard', async () => {
    const live = await openTestLive();
    const people = live.operatorWith(undefined);
    const answers = [people.ask(buildQuestion(), signal), people.ask(buildQuestion({ phone: '2' }), signal)];
    const { page } = await openAt(live.url);
    await waitForText(page, 'I do it', '#question-q2');
    await page.getByLabel('Your name').focus();
    while ((await focusedElement(page)) !== 'I do it') await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedElement(page)).toBe('note-q1');
    while ((await focusedElement(page)) !== 'Give it back') await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedElement(page)).toBe('title-q1');
    while ((await focusedElement(page)) !== 'I do it') await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedElement(page)).toBe('note-q1');
    while ((await focusedElement(page)) !== 'Done') await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await answers[0]).toEqual({ word: 'done' });
    await expect.poll(() => focusedElement(page)).toBe('title-q2');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => focusedElement(page)).toBe('note-q2');
    while ((await focusedElement(page)) !== 'Cannot') await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await answers[1]).toEqual({ word: 'cannot' });
    await expect.poll(() => focusedElement(page)).toBe('due-title');
  });

  it('leave what was said in sight, and cover nothing that has the focus', async () => {
    const live = await openTestLive();
    const people = live.operatorWith(undefined);
    for (let at = 1; at <= 6; at += 1) void people.ask(buildQuestion({ kind: 'tell', phone: String(at) }), signal);
    const { page } = await openAt(live.url, phoneScreen);
    for (const id of ['q1', 'q2', 'q6']) {
      await buttonOf(page, id, 'I do it').tap();
      await waitForText(page, 'You have it', `#question-${id}`);
    }
    await buttonOf(page, 'q6', 'Send').tap();
    await waitForText(page, 'Say what you see.', '#told');
    const inSight = `['told', 'connection'].every((id) => {
      const { top, bottom, left } = document.getElementById(id).getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight && document.elementFromPoint(left + 4, (top + bottom) / 2).id === id;
    })`;
    expect(await page.evaluate('scrollY')).toBeGreaterThan(1000);
    expect(await page.evaluate(inSight)).toBe(true);
    expect(await page.evaluate(covered)).toEqual([]);
  });

  it('show a button that is off as one that is off', async () => {
    const live = await openTestLive();
    void live.operatorWith(undefined).ask(buildQuestion(), signal);
    const { page } = await openAt(live.url);
    await page.route('**/take', () => undefined);
    const look = `(({ color, borderStyle, cursor }) => [color, borderStyle, cursor])(getComputedStyle([...document.querySelectorAll('button')].find((one) => one.textContent === 'I do it')))`;
    await waitForText(page, 'I do it', '#question-q1');
    const before = await page.evaluate(look);
    await press(page, 'I do it');
    await expect.poll(() => page.locator('button[aria-disabled="true"]').count()).toBe(2);
    const after = await page.evaluate(look);
    expect(after).toEqual([expect.not.stringMatching(String((before as string[])[0])), 'dashed', 'not-allowed']);
  });
});

describeInChromium('a run that is interrupted', () => {
  it('says so of itself and of what it asked, and how far it really came', async () => {
    const live = await openTestLive();
    const { page } = await openAt(live.url);
    const stop = new AbortController();
    live.event({ kind: 'started', cases: 4 });
    live.event({ kind: 'case-finished', id: 'a', verdict: 'pass' });
    void live.operatorWith(undefined).ask(buildQuestion(), stop.signal);
    await press(page, 'I do it');
    await waitForText(page, 'You have it.', '#question-q1');
    stop.abort();
    await waitForText(page, 'Approve the request on the phone: the run was interrupted.', '#told');
    await waitForText(page, 'the run was interrupted', '#answers');
    for (const id of ['b', 'c', 'd'])
      live.event({ kind: 'case-finished', id, verdict: 'not-run', reason: 'interrupted', undone: true });
    live.stop('The run was interrupted: it ends with what is finished.');
    await waitForText(page, 'it ends with what is finished', '#told');
    await waitForText(page, '1 of 4 cases, 0 failed, 3 left undone by the stop');
    expect(await page.locator('#bar').getAttribute('width')).toBe('25');
    expect(await page.title()).toMatch(/^1\/4 – /);
    live.end('The run was interrupted: incomplete.');
    await waitForText(page, 'The run was interrupted: incomplete.', '#told');
    await waitForText(page, '1 of 4 cases, 0 failed, 3 left undone by the stop');
  });
});

describeInChromium('after a long run', () => {
  it('what was answered comes before the exchanges', async () => {
    const live = await openTestLive();
    const { page } = await openAt(live.url);
    const order = `[...document.querySelectorAll('main > section')].map(({ id }) => id)`;
    expect(await page.evaluate(order)).toEqual(['due', 'progress', 'waits', 'findings', 'answers', 'exchanges']);
  });
});
