import { afterEach, expect, it } from 'vitest';
import { openBrokenLine } from '../testing/results/broken-line.ts';
import { describeInChromium, openAt } from '../testing/pages/browser.ts';
import { phoneScreen, press, waitForText } from '../testing/pages/live-browser.ts';
import { buildQuestion, closeLive, openTestLive } from '../testing/pages/live-page.ts';
import { heartbeat } from './streams.ts';

afterEach(closeLive);

const { signal } = new AbortController();

describeInChromium('a page whose line is dead without a close', () => {
  it('says so, keeps what is answered, and comes back by itself', { timeout: 90_000 }, async () => {
    const live = await openTestLive();
    const line = await openBrokenLine();
    const { page } = await openAt(live.url, { ...phoneScreen, proxy: { server: line.origin } });
    const answer = live.operatorWith(undefined).ask(buildQuestion({ kind: 'tell' }), signal);
    await page.getByLabel('What you see').fill('a fingerprint');
    await waitForText(page, /^connected$/, '#connection');
    line.swallow();
    // Advance the page's clock, not the test's, past the time limit for a sign of life.
    await page.clock.install();
    await page.clock.fastForward(2 * heartbeat);
    await page.waitForTimeout(1500);
    await waitForText(page, /^connected$/, '#connection');
    await page.clock.fastForward(heartbeat);
    await waitForText(page, 'no connection', '#connection');
    await press(page, 'Send');
    await waitForText(page, 'your answer is kept, and is sent again until it has arrived', '#told', 20_000);
    expect(live.urls).toHaveLength(1);
    live.event({ kind: 'note', text: 'while nobody heard it' });
    line.mend();
    expect(await answer).toEqual({ word: 'done', note: 'a fingerprint' });
    await waitForText(page, 'Answered.', '#told', 20_000);
    await page.clock.fastForward(heartbeat);
    await waitForText(page, /^connected$/, '#connection', 30_000);
    await waitForText(page, 'while nobody heard it');
    await line.close();
  });

  it('does not try for ever to send to a run that is over', { timeout: 60_000 }, async () => {
    const live = await openTestLive();
    const { page } = await openAt(live.url);
    void live.operatorWith(undefined).ask(buildQuestion(), signal);
    await waitForText(page, 'Done', '#question-q1');
    live.end('The run is over: conformant.');
    await waitForText(page, 'over', '#connection');
    await closeLive();
    await press(page, 'Done');
    await waitForText(page, 'It is over: this did not arrive any more.', '#told');
    await expect.poll(() => page.locator('button[aria-disabled="true"]').count()).toBe(0);
  });
});
