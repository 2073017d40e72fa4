import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from '../../lib/json.ts';
import { describeInChromium, openAt } from '../../testing/pages/browser.ts';
import { workAtPage } from '../../testing/pages/person-at-page.ts';
import { createPhoneLab, doTask } from '../../testing/carriers/phone-lab.ts';
import { startCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder, startCarrier, writeTarget } from '../../testing/program/target-file.ts';

/** All areas take two people about five minutes. */
const timeLimit = 1_500_000;

/** Makes the operator act instead of every driver. */
const byHand = (target: JsonObject): JsonObject => ({
  ...target,
  drivers: Object.fromEntries(
    Object.keys(isJsonObject(target['drivers']) ? target['drivers'] : {}).map((action) => [action, { ask: true }]),
  ),
});

const readObject = (path: string): JsonObject => {
  const value = parseJson(readFileSync(path, 'utf8'));
  return isJsonObject(value) ? value : {};
};

/** Failed and erroneous cases, with reasons. */
function troublesIn({ cases }: JsonObject): readonly string[] {
  return (Array.isArray(cases) ? cases : []).flatMap((one) => {
    if (!isJsonObject(one) || (one['verdict'] !== 'fail' && one['verdict'] !== 'error')) return [];
    const { id, verdict, reason, findings } = one;
    return [JSON.stringify({ id, verdict, reason, findings }).slice(0, 600)];
  });
}

describeInChromium('a certification by hand', () => {
  it('is done by two people at their pages, who do what every task says', { timeout: timeLimit + 20_000 }, async () => {
    const carrier = await startCarrier(['--clock', 'virtual'], timeLimit);
    const target = writeTarget(byHand);
    const out = makeFolder();
    const running = startCli(['run', '--target', target, '--out', out, '--live'], { env: carrier.env, timeLimit });
    const [, url = ''] = await running.stderr(/^live: (\S+)$/m);
    let isOver = false;
    const ended = running.ended.finally(() => {
      isOver = true;
    });
    const lab = createPhoneLab(carrier.env['REFERENCE_ADMIN'] ?? '', readObject(target));
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const pages = [await openAt(url), await openAt(url, phone)];
    // Each page knows that the other is there.
    for (const { page } of pages) await page.getByRole('button', { name: 'I do it' }).first().waitFor();
    const did = await Promise.all(
      pages.map(({ page }) =>
        workAtPage(
          page,
          (task) => doTask(task, lab),
          () => isOver,
        ),
      ),
    );
    const { code } = await ended;
    const result = readObject(join(out, 'result.json'));
    const footer = isJsonObject(result['footer']) ? result['footer'] : {};
    expect(troublesIn(result)).toEqual([]);
    expect([code, footer['outcome']]).toEqual([0, 'conformant']);
    // Both took part.
    expect(Math.min(...did.map(({ length }) => length))).toBeGreaterThan(10);
    // If both take a question at once, the second gets 409; at the end the server is gone.
    const known = /409 \(Conflict\)|net::ERR_/;
    expect(pages.map(({ trouble }) => trouble.filter((line) => !known.test(line)))).toEqual([[], []]);
    expect(await pages[0]?.page.locator('#done').innerText()).toMatch(
      /^The run is over: conformant in the \d+ of \d+ required rules that were run/,
    );
  });
});
