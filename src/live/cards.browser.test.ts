import type { Page } from 'playwright-core';
import process from 'node:process';
import { afterEach, expect, it } from 'vitest';
import type { ActionMark } from '../model/action.ts';
import { axeScript, describeInChromium, openAt } from '../testing/pages/browser.ts';
import { focusedElement, phoneScreen, press, sayName, waitForText } from '../testing/pages/live-browser.ts';
import { buildQuestion, closeLive, openTestLive } from '../testing/pages/live-page.ts';

afterEach(closeLive);

const { signal } = new AbortController();
const card = (page: Page, id: string) => page.locator(`#question-${id}`);
const buttonOf = (page: Page, id: string, name: string) => card(page, id).getByRole('button', { name, exact: true });

/** Marks of actions that are easily taken for each other, with their tasks. */
const marked: readonly (readonly [ActionMark, task: string])[] = [
  [{ word: 'Approve', done: 'I approved it', tone: 'good' }, 'Approve the request on the phone'],
  [{ word: 'Deny', done: 'I denied it', tone: 'bad' }, 'Deny the request on the phone'],
  [{ word: 'Press nothing', done: 'I pressed nothing', tone: 'open' }, 'Leave the request on the phone alone'],
];

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
    await openAt(live.url);
    for (const id of ['q1', 'q2', 'q3']) {
      await buttonOf(page, id, 'I do it').tap();
      await waitForText(page, 'You have it.', `#question-${id}`);
    }
    expect(await page.evaluate(overflowing)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const low = `[...document.querySelectorAll('button, #name')].filter((one) => one.checkVisibility() && one.offsetHeight < 44).map((one) => one.textContent)`;
    expect(await page.evaluate(low)).toEqual([]);
  });

  it('take one tap of a person who is alone', async () => {
    const live = await openTestLive();
    const people = live.operatorWith(undefined);
    const { page } = await openAt(live.url, phoneScreen);
    const answers = [people.ask(buildQuestion(), signal), people.ask(buildQuestion({ kind: 'holds' }), signal)];
    await waitForText(page, 'Yes', '#question-q2');
    expect(await page.getByRole('button').filter({ visible: true }).allInnerTexts()).toEqual([
      'Done',
      'Cannot',
      'Yes',
      'No',
      'Cannot say',
    ]);
    await buttonOf(page, 'q1', 'Done').tap();
    await buttonOf(page, 'q2', 'No').tap();
    expect(await Promise.all(answers)).toEqual([{ word: 'done' }, { word: 'no' }]);
  });

  it('are taken first as soon as somebody else is there, but keep a note that was begun alone', async () => {
    const live = await openTestLive();
    const { operatorWith } = live;
    const { page } = await openAt(live.url);
    const answer = operatorWith(undefined).ask(buildQuestion({ kind: 'tell' }), signal);
    void operatorWith(undefined).ask(buildQuestion({ phone: '2' }), signal);
    await card(page, 'q1').getByLabel('What you see').fill('a finger');
    const ben = await openAt(live.url);
    await waitForText(page, 'I do it', '#question-q2');
    expect(await buttonOf(page, 'q1', 'I do it').isVisible()).toBe(false);
    await press(page, 'Send');
    expect(await answer).toEqual({ word: 'done', note: 'a finger' });
    await ben.page.close();
    await waitForText(page, 'Done', '#question-q2');
    expect(await buttonOf(page, 'q2', 'I do it').isVisible()).toBe(false);
  });

  it('tell an approval from a denial by word, colour and place', async () => {
    const live = await openTestLive();
    const people = live.operatorWith(undefined);
    const { page } = await openAt(live.url, phoneScreen);
    const answers = marked.map(([mark, description], at) =>
      people.ask(buildQuestion({ mark, description, place: { number: at + 5, of: 596 } }), signal),
    );
    await waitForText(page, 'task 7 of 596', '#question-q3');
    const look = `[...document.querySelectorAll('.question')].map((one) => {
      const { left, right } = one.getBoundingClientRect();
      const [mark, done] = ['.mark', '.big:is(.good, .bad, .open)'].map((name) => one.querySelector('.mark, ' + name) && [...one.querySelectorAll(name)].find((found) => found.checkVisibility() && found.textContent !== 'I do it'));
      const isLeft = (part) => part.getBoundingClientRect().left - left < right - part.getBoundingClientRect().right;
      const { borderLeftWidth, borderRightWidth } = getComputedStyle(one);
      return [mark.innerText, isLeft(mark), done.innerText, isLeft(done), parseInt(borderLeftWidth) > parseInt(borderRightWidth), getComputedStyle(mark).color, getComputedStyle(done).backgroundColor];
    })`;
    const rows = (await page.evaluate(look)) as readonly (readonly unknown[])[];
    expect(rows.map((row) => row.slice(0, 5))).toEqual([
      ['APPROVE', true, 'I approved it', true, true],
      ['DENY', false, 'I denied it', false, false],
      ['PRESS NOTHING', true, 'I pressed nothing', true, true],
    ]);
    for (const colour of [5, 6]) expect(new Set(rows.map((row) => row[colour])).size).toBe(3);
    for (const label of ['I approved it', 'I denied it', 'I pressed nothing']) await press(page, label);
    expect(await Promise.all(answers)).toEqual([{ word: 'done' }, { word: 'done' }, { word: 'done' }]);
  });

  it.each([
    ['light', 390],
    ['dark', 390],
    ['light', 1280],
    ['dark', 1280],
  ] as const)('have no violation that axe finds, in %s at %i px', async (colorScheme, width) => {
    const live = await openTestLive();
    const people = live.operatorWith(undefined);
    const next = { case: 'a', step: 'b', action: 'deny', at: 600 };
    live.event({ kind: 'started', cases: 20, planned: { seconds: 7200, path: [] } });
    live.event({ kind: 'acts', begun: 7, of: 596, before: 4, next });
    for (const [mark, description] of marked)
      void people.ask(buildQuestion({ mark, description, place: { number: 5, of: 596 }, timeout: 20_000 }), signal);
    const expired = { expires: Date.now() + 100, timeout: 90_000 };
    void people.ask(buildQuestion({ kind: 'holds', description: 'Is it dark?', ...expired }), signal);
    const { page } = await openAt(live.url, { viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
    await waitForText(page, 'too late on the phone: press Cannot say', '#question-q4');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await page.evaluate(overflowing)).toEqual([]);
    await page.addScriptTag({ path: axeScript });
    const found: unknown = await page.evaluate(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))',
    );
    const { PICTURES } = process.env;
    if (PICTURES !== undefined)
      await page.screenshot({ path: `${PICTURES}/cards-${colorScheme}-${width}.png`, fullPage: true });
    expect(found).toEqual([]);
  });

  it('have one deadline, the one that comes first, and say what to press after a request has expired', async () => {
    const live = await openTestLive();
    const ask = live.operatorWith(undefined).ask;
    const answer = ask(buildQuestion({ timeout: 60_000, expires: Date.now() + 7000 }), signal);
    const { page } = await openAt(live.url);
    await waitForText(page, /^0:0\d left, until \d\d:\d\d:\d\d$/, '#question-q1 .left');
    expect((await card(page, 'q1').innerText()).match(/\d:\d\d/g)).toHaveLength(2);
    await waitForText(page, /^The request has expired, so it is too late on the phone: press Cannot\.$/, '.left');
    expect(await card(page, 'q1').innerText()).not.toMatch(/\d:\d\d/);
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
    await openAt(live.url);
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
    await waitForText(page, 'Send', '#question-q6');
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
    await openAt(live.url);
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
    await waitForText(page, 'Done', '#question-q1');
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
