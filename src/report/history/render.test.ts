import { describe, expect, test } from 'vitest';
import { createHistory } from '../../compare/history/history.ts';
import { newsSince } from '../../compare/history/turns.ts';
import { buildMonths, historyPage, historyOutputs } from '../../testing/pages/history-page.ts';
import { dangersIn, hostileTexts, poisonResult } from '../../testing/carriers/hostile.ts';
import { sampleResult } from '../../testing/results/sample-result.ts';
import { renderHistoryText, renderNews } from './text.ts';

describe.each(Object.entries(hostileTexts))('with %s in every text of a result', (_, text) => {
  const entries = buildMonths(poisonResult(sampleResult, text)).map((entry) => ({
    ...entry,
    file: `${text}/result.json`,
    header: { ...entry.header, flags: entry.header.flags.map((flag, at) => (at % 2 === 1 ? flag + text : flag)) },
  }));
  const history = createHistory(entries);

  test('neither the page nor the JSON nor a line has what a reader could not see', () => {
    for (const written of historyOutputs(history)) expect(dangersIn(written.replaceAll('\n', ''))).toEqual([]);
    expect(historyPage(history)).not.toMatch(/<script>alert/);
    expect(renderHistoryText(history).flatMap(dangersIn)).toEqual([]);
    // 0 shows all turns; infinity shows every carrier as silent.
    for (const since of [0, Number.POSITIVE_INFINITY]) {
      const lines = renderNews(newsSince(history, since));
      expect(lines.flatMap(dangersIn)).toEqual([]);
      expect(lines.join('')).not.toContain('\n');
    }
    expect(renderNews(newsSince(history, Number.POSITIVE_INFINITY))).toHaveLength(history.carriers.length);
  });

  test('the same results give the same bytes, in whatever order', () => {
    expect(historyOutputs(createHistory(entries.toReversed()))).toEqual(historyOutputs(history));
  });
});

test('a history of one run has a page', () => {
  const [one] = buildMonths(sampleResult, 1);
  const page = historyPage(createHistory(one === undefined ? [] : [one]));
  expect(page).toContain('1 carrier, 1 run.');
  expect(page).toContain('No rule has turned.');
});
