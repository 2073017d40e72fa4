import { describe, expect, test } from 'vitest';
import { newsSince } from '../../compare/history/turned.ts';
import { historyFrom, monthsOf, siteOf } from '../../testing/history-site.ts';
import { dangersIn, hostileTexts, poisonResult } from '../../testing/hostile.ts';
import { sampleResult } from '../../testing/sample-result.ts';
import { renderHistoryText, renderNews } from './text.ts';

describe.each(Object.entries(hostileTexts))('with %s in every text of a result', (_, text) => {
  const entries = monthsOf(poisonResult(sampleResult, text), []).map((entry) => ({
    ...entry,
    file: `${text}/result.json`,
    header: { ...entry.header, flags: entry.header.flags.map((flag, at) => (at % 2 === 1 ? flag + text : flag)) },
  }));
  const history = historyFrom(entries);

  test('names of files are digits of ours, and no page has what a reader could not see', () => {
    const site = siteOf(history);
    expect(site.size).toBe(4);
    for (const [path, page] of site) {
      expect(path).toMatch(/^(?:index\.html|history\.json|carrier-[0-9a-f]{16}\.html)$/);
      expect(dangersIn(page.replaceAll('\n', ''))).toEqual([]);
      if (path.endsWith('.html')) expect(page).not.toMatch(/<script>alert/);
    }
    expect(renderHistoryText(history).flatMap(dangersIn)).toEqual([]);
    // Since the beginning: what turned; since the end of time: who is silent.
    for (const since of [0, Number.POSITIVE_INFINITY]) {
      const lines = renderNews(newsSince(history, since));
      expect(lines.flatMap(dangersIn)).toEqual([]);
      expect(lines.join('')).not.toContain('\n');
    }
    expect(renderNews(newsSince(history, Number.POSITIVE_INFINITY))).toHaveLength(history.carriers.length);
  });

  test('the same results give the same bytes, in whatever order', () => {
    expect([...siteOf(historyFrom(entries.toReversed()))]).toEqual([...siteOf(history)]);
  });
});

test('a history of one run has a page', () => {
  const [one] = monthsOf(sampleResult, [], 1);
  const site = siteOf(historyFrom(one === undefined ? [] : [one]));
  expect(site.get('index.html')).toContain('1 carrier, 1 run.');
  expect([...site.values()].join('')).toContain('No rule has turned.');
});
