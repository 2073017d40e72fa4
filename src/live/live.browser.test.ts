import { afterEach, expect, it } from 'vitest';
import { openBrokenLine } from '../testing/results/broken-line.ts';
import { axeScript, describeInChromium, openAt } from '../testing/pages/browser.ts';
import { phoneScreen, press, sayName, waitForText } from '../testing/pages/live-browser.ts';
import { buildQuestion, closeLive, openTestLive } from '../testing/pages/live-page.ts';
import { buildDelivery, buildExchange, buildFinding } from '../testing/results/result.ts';

afterEach(closeLive);

const { signal } = new AbortController();

/** A run that fills every part of the page. */
async function openBusy() {
  const live = await openTestLive();
  const finding = buildFinding({ code: 'check', expected: 'a bearer <b>', actual: null });
  live.event({ kind: 'started', cases: 20, planned: { seconds: 7200, path: [] } });
  live.event({ kind: 'case-finished', id: 'a', verdict: 'pass' });
  live.event({ kind: 'finding', id: 'callback-<i>', finding });
  live.event({
    kind: 'message',
    took: 1,
    id: 'approve-one',
    message: buildExchange({ object: { header: { alg: 'RS256' }, claims: { jti: '<b>1' } } }),
  });
  live.event({ kind: 'message', took: 1, message: buildDelivery() });
  const now = Date.now();
  const waiting = [
    { case: 'iat-far-too-old', for: 'the moment of step replay', until: now + 90_000 },
    { case: 'late', for: 'a callback', until: Number.POSITIVE_INFINITY },
  ];
  live.event({ kind: 'waiting', waiting, now });
  return live;
}

describeInChromium('the page of a run in Chromium', () => {
  it('lets two people share the questions: one takes it, the other sees who has it', async () => {
    const live = await openTestLive();
    const [ann, ben] = [await openAt(live.url), await openAt(live.url, phoneScreen)];
    await sayName(ann.page, 'Ann');
    await sayName(ben.page, 'Ben');
    const people = live.operatorWith(undefined);
    const answers = [
      people.ask(buildQuestion(), signal),
      people.ask(buildQuestion({ kind: 'holds', description: 'Is it dark?', phone: '+12175550102' }), signal),
    ];
    await waitForText(ben.page, /Is it dark\?[\s\S]*phone\s+\+12175550102/);
    expect(await ben.page.title()).toMatch(/^\(2\) \d+:\d\d – Carrier under test – carrierspec$/);
    await ann.page.locator('#question-q1').getByRole('button', { name: 'I do it' }).click();
    await waitForText(ann.page, 'You have it.', '#question-q1');
    await waitForText(ben.page, 'Ann has it.', '#question-q1');
    await ben.page.locator('#question-q2').getByRole('button', { name: 'I do it' }).tap();
    await ben.page.locator('#question-q2').getByLabel('Note').fill('as the phone itself');
    await ben.page.locator('#question-q2').getByRole('button', { name: 'Yes' }).tap();
    expect(await answers[1]).toEqual({ word: 'yes', note: 'as the phone itself', by: 'Ben' });
    await waitForText(ann.page, 'Is it dark?: yes, by Ben', '#answers');
    await press(ann.page, 'Cannot');
    expect(await answers[0]).toEqual({ word: 'cannot', by: 'Ann' });
    await waitForText(ben.page, 'Ann answered cannot', '#told');
    await waitForText(ben.page, 'Nothing to do now.');
    expect([ann.trouble, ben.trouble]).toEqual([[], []]);
  });

  it('shows how far the run is, what waits, what was found and every exchange, as text', async () => {
    const { url, event } = await openBusy();
    const { page, trouble } = await openAt(url);
    await waitForText(page, '1 of 20 cases, 0 failed');
    await waitForText(page, /about 1:59:\d\d left/);
    await waitForText(page, /iat-far-too-old waits for the moment of step replay until \d\d:\d\d:\d\d, in 1:\d\d/);
    await waitForText(page, 'late waits for a callback until something comes');
    await waitForText(page, /in callback-<i>: does not hold: a bearer <b>/);
    const width = (): Promise<number> =>
      page.evaluate('Number(document.querySelector("#wait-rows .wait").getAttribute("width"))');
    const before = await width();
    event({ kind: 'case-finished', id: 'b', verdict: 'pass' });
    await waitForText(page, '2 of 20 cases');
    await expect.poll(width, { timeout: 10_000 }).toBeLessThan(before);
    await page.locator('#message-rows summary').last().click();
    await waitForText(page, 'Request object, decoded', '#message-rows li:last-child');
    expect(trouble).toEqual([]);
  });

  it('says which act of how many planned ones it is, and when the next comes, never in the past', async () => {
    const live = await openTestLive();
    const { page } = await openAt(live.url);
    const acts = (at: number, before = 0) =>
      live.event({ kind: 'acts', begun: 5, of: 596, before, next: { case: 'a', step: 'b', action: 'deny', at } });
    live.event({ kind: 'started', cases: 20, planned: { seconds: 7200, path: [] } });
    acts(600);
    await waitForText(page, /^5 of 596 tasks, the next at \d\d:\d\d:\d\d, in (?:9:5\d|10:00)$/, '#acts');
    acts(3, 4);
    await waitForText(
      page,
      /^5 of 596 tasks, the next at .*, in 0:0\d; 4 were done before the run was cut off$/,
      '#acts',
    );
    await waitForText(page, /^5 of 596 tasks; 4 were done before the run was cut off$/, '#acts');
  });

  it('comes back after a lost connection; an answer that was given meanwhile arrives, once', async () => {
    const live = await openTestLive();
    const line = await openBrokenLine();
    const { page } = await openAt(live.url, { ...phoneScreen, proxy: { server: line.origin } });
    const people = live.operatorWith(undefined);
    const answer = people.ask(buildQuestion({ kind: 'tell', description: 'What does it show?' }), signal);
    await page.getByLabel('What you see').fill('a fingerprint');
    line.cut();
    await waitForText(page, 'no connection', '#connection');
    await press(page, 'Send');
    await waitForText(page, 'your answer is kept, and is sent again until it has arrived', '#told');
    live.event({ kind: 'note', text: 'while nobody heard it' });
    void people.ask(buildQuestion({ description: 'The next', phone: '+12175550102' }), signal);
    line.mend();
    expect(await answer).toEqual({ word: 'done', note: 'a fingerprint' });
    await waitForText(page, 'while nobody heard it');
    await waitForText(page, 'The next');
    await waitForText(page, 'connected', '#connection');
    expect(await page.locator('#finding-rows li').count()).toBe(1);
    await expect.poll(() => page.locator('.question').count()).toBe(1);
    await line.close();
  });

  it('is the same person in a page that was closed and opened again', async () => {
    const live = await openTestLive();
    const { page } = await openAt(live.url);
    await sayName(page, 'Ann');
    const answer = live.operatorWith(undefined).ask(buildQuestion(), signal);
    const { page: ben } = await openAt(live.url);
    await press(page, 'I do it');
    await waitForText(page, 'You have it.');
    await waitForText(ben, 'Ann has it.');
    const other = await page.context().newPage();
    await page.close();
    await other.goto(live.url);
    await waitForText(other, 'You have it.');
    await press(other, 'Done');
    expect(await answer).toEqual({ word: 'done', by: 'Ann' });
  });

  it('says how the run ended, and asks for nothing more', async () => {
    const live = await openBusy();
    const { page, trouble } = await openAt(live.url);
    await waitForText(page, '1 of 20 cases');
    live.end('The run is over: conformant.');
    await closeLive();
    await waitForText(page, 'The run is over: conformant.', '#told');
    await waitForText(page, 'The run is over: conformant.');
    await waitForText(page, '1 of 20 cases, 0 failed');
    await waitForText(page, 'over', '#connection');
    expect(trouble).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'has no violation that axe finds, and fits 390 px, in %s',
    async (colorScheme) => {
      const live = await openBusy();
      const people = live.operatorWith(undefined);
      void people.ask(buildQuestion({ description: `Approve ${'x'.repeat(300)}` }), signal);
      void people.ask(buildQuestion({ kind: 'holds', phone: '2', timeout: 20_000 }), signal);
      void people.ask(buildQuestion({ kind: 'tell', phone: '3' }), signal);
      const { page } = await openAt(live.url, { ...phoneScreen, colorScheme, bypassCSP: true });
      await openAt(live.url);
      await waitForText(page, 'I do it', '#question-q3');
      for (const id of ['q1', 'q2'])
        await page.locator(`#question-${id}`).getByRole('button', { name: 'I do it' }).tap();
      await waitForText(page, 'You have it.', '#question-q2');
      for (const one of await page.locator('#message-rows summary').all()) await one.click();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      const lowest = 'Math.min(...[...document.querySelectorAll(".big")].flatMap((one) => one.offsetHeight || []))';
      expect(await page.evaluate(lowest)).toBeGreaterThanOrEqual(44);
      await page.addScriptTag({ path: axeScript });
      const found: unknown = await page.evaluate(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))',
      );
      expect(found).toEqual([]);
    },
  );
});
